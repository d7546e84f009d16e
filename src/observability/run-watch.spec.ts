import { describe, expect, it } from '@jest/globals';
import { RunWatch, type RunObserver, type WatchedEvent } from './run-watch.js';

function watched(fresh: boolean, ...events: [type: string, at: number, more?: object][]): string[] {
  const heard: string[] = [];
  const observer: RunObserver = {
    firstEvent: (seconds) => heard.push(`first event ${seconds}`),
    firstText: (seconds) => heard.push(`first text ${seconds}`),
    stageBegan: (stage) => heard.push(`${stage} began`),
    stageEnded: (stage, _at, seconds) => heard.push(`${stage} ended ${seconds}`),
    ended: (outcome, code, seconds) => heard.push(`${outcome} ${code} ${seconds}`),
  };
  const watch = new RunWatch(1_000, fresh, observer);
  for (const [type, timestamp, more] of events) {
    const event: WatchedEvent = { type, timestamp, ...more };
    watch.notice(event);
  }
  return heard;
}

const step = (stepName: string) => ({ stepName });

describe('the times of a run', () => {
  it('are those of its events, from when it was accepted', () => {
    const heard = watched(
      true,
      ['RUN_STARTED', 1_000],
      ['STEP_STARTED', 1_500, step('intent')],
      ['STEP_FINISHED', 2_000, step('intent')],
      ['STEP_STARTED', 2_000, step('report')],
      ['TEXT_MESSAGE_START', 2_000],
      ['TEXT_MESSAGE_CONTENT', 2_250],
      ['TEXT_MESSAGE_CONTENT', 2_300],
      ['STEP_FINISHED', 3_000, step('report')],
      ['RUN_FINISHED', 3_000, { outcome: 'interrupt' }],
    );
    expect(heard).toEqual([
      'first event 0.5',
      'intent began',
      'intent ended 0.5',
      'report began',
      'first text 1.25',
      'report ended 1',
      'interrupt null 2',
    ]);
  });

  it('have no firsts where another process had begun it', () => {
    const heard = watched(
      false,
      ['TEXT_MESSAGE_CONTENT', 2_000],
      ['STEP_FINISHED', 2_000, step('report')],
      ['RUN_ERROR', 4_000, { code: 'TIMEOUT' }],
    );
    expect(heard).toEqual(['error TIMEOUT 3']);
  });

  it('are never negative', () => {
    expect(watched(true, ['RUN_ERROR', 900])).toEqual(['first event 0', 'error INTERNAL 0']);
  });
});
