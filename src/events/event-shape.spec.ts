import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { play, runScripts } from '../../test/support/run-script.js';
import { encodeEvent } from './encode.js';
import { isRunEvent } from './event-shape.js';
import type { RunEvent } from './run-event.js';
import type { WireForm } from './wire-form.js';

const FORMS: WireForm[] = ['app', 'app-v1', 'agui', 'agui-1.0'];
/** What another version, or nobody of ours, might put in the place of a member. */
const ODD: unknown[] = [undefined, null, 7, 'x', true, [], [null], ['x'], {}];

/** The event with one member replaced, in every way there is. */
function* spoilt(event: RunEvent): Generator {
  for (const name of Object.keys(event)) {
    for (const value of ODD) yield JSON.parse(JSON.stringify({ ...event, [name]: value }));
  }
}

describe('the shape of events', () => {
  it('is that of all that runs write, and of nothing that would break a stream', async () => {
    await fc.assert(
      fc.asyncProperty(runScripts, async (script) => {
        const { events } = await play(script, 'thr_1', 'run_1');
        for (const logged of events) {
          expect(isRunEvent(JSON.parse(JSON.stringify(logged.event)))).toBe(true);
          for (const event of spoilt(logged.event)) {
            if (!isRunEvent(event)) continue;
            for (const form of FORMS)
              expect(() => encodeEvent({ ...logged, event }, form)).not.toThrow();
          }
        }
      }),
      { numRuns: 20 },
    );
  });

  it.each([
    [null],
    ['TEXT_MESSAGE_END'],
    [[]],
    [{}],
    [{ type: 'TOOL_CALL_RESULT' }],
    [{ type: 'TOOL_CALL_RESULT', timestamp: 1 }],
    [{ type: 'NEWER_THAN_THIS', timestamp: 1 }],
    [{ type: 'constructor', timestamp: 1 }],
    [{ type: 'TEXT_MESSAGE_END', messageId: 'm' }],
    [{ type: 'TEXT_MESSAGE_END', messageId: 'm', timestamp: 1.5 }],
    [{ type: 'RUN_FINISHED', threadId: 't', outcome: 'interrupt', timestamp: 1 }],
    [{ type: 'RUN_FINISHED', threadId: 't', outcome: 'pending', pendingCalls: [1], timestamp: 1 }],
  ])('is not that of %j', (value) => {
    expect(isRunEvent(value)).toBe(false);
  });
});
