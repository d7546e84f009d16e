import { describe, expect, it } from '@jest/globals';
import { streamStart } from './stream-start.js';

const active = { runId: 'r2', startId: 8, terminalId: null };
const over = { runId: 'r2', startId: 8, terminalId: 12 };

describe('where a stream begins', () => {
  it.each([
    ['a thread without events is waited for', null, 0, null, { after: 0 }],
    ['also with the id of no event', 0, 0, null, { after: 0 }],
    ['without an id: the active run', null, 10, active, { after: 7 }],
    ['without an id: the last run', null, 12, over, { after: 7 }],
    ['an id in an earlier run', 3, 12, over, { after: 3 }],
    ['an id in the active run', 10, 10, active, { after: 10 }],
    ['the id before the terminal event', 11, 12, over, { after: 11 }],
    ['the id of the terminal event', 12, 12, over, 'nothing'],
    ['0 is before everything', 0, 12, over, { after: 0 }],
    ['an id that was never given out, active run', 99, 10, active, { after: 7 }],
    ['an id that was never given out, last run', 99, 12, over, { after: 7 }],
    ['an id that was never given out, no run', 99, 0, null, { after: 0 }],
    ['a run that began after the head was read', 12, 12, { ...active, startId: 13 }, { after: 12 }],
    [
      'a run that ended after the head was read',
      12,
      12,
      { ...over, terminalId: 14 },
      { after: 12 },
    ],
  ])('%s', (_name, seen, head, run, expected) => {
    expect(streamStart(seen, head, run)).toEqual(expected);
  });
});
