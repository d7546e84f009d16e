import { describe, expect, it } from '@jest/globals';
import { encodeEvent } from '../../src/events/encode.js';
import { pipelineFaults } from '../support/agui-pipeline.js';
import { play, RUN_SCRIPTS } from '../support/run-script.js';

type Stream = Parameters<typeof pipelineFaults>[0][number][];

async function stream(form: 'agui-1.0' | 'app'): Promise<Stream> {
  const script = RUN_SCRIPTS['a call with a card'];
  if (!script) throw new Error('no such script');
  const { events } = await play(script, 't', 'r');
  return events.map((event) => JSON.parse(encodeEvent(event, form)) as Stream[number]);
}

describe("AG-UI's own pipeline, as the tests use it", () => {
  it.each(['agui-1.0', 'app'] as const)('has nothing against a run in %s', async (form) => {
    expect(pipelineFaults(await stream(form))).toEqual([]);
  });

  it.each<[string, (events: Stream) => Stream]>([
    [
      'a member that AG-UI does not know',
      ([first, ...rest]) => [{ ...first, type: 'RUN_STARTED', odd: 1 }, ...rest],
    ],
    ['a type that it does not know', (events) => events.toSpliced(1, 0, { type: 'ODD' })],
    ['a stream that breaks off', (events) => events.slice(0, -1)],
    [
      'one that breaks off and has no beginning',
      (events) =>
        [{ type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant' }, ...events].slice(0, 1),
    ],
    ['two ends', (events) => [...events, ...events.slice(-1)]],
    ['a stage that stays open', (events) => events.filter(({ type }) => type !== 'STEP_FINISHED')],
    [
      'a text that stays open',
      (events) => events.filter(({ type }) => type !== 'TEXT_MESSAGE_END'),
    ],
    ['a run without its beginning, after another', (events) => [...events, ...events.slice(1)]],
    [
      'a member of another type',
      (events) => events.map((event) => ({ ...event, timestamp: 'now' })),
    ],
  ])('finds %s', async (_name, spoil) => {
    expect(pipelineFaults(spoil(await stream('agui-1.0')))).not.toEqual([]);
  });

  it('finds what is wrong with a stream of the app encoding, too', async () => {
    const events = await stream('app');
    expect(pipelineFaults(events.map((event) => ({ ...event, odd: 1 })))).not.toEqual([]);
  });
});
