import { describe, expect, it } from '@jest/globals';
import { fakeModules } from './testing/fake-modules.js';
import { REAL_SENTENCES } from './testing/real-sentences.js';
import { talk } from './testing/talk.js';

describe('real sentences', () => {
  it('are sixty, a third of them follow-ups', () => {
    expect(REAL_SENTENCES).toHaveLength(60);
    expect(REAL_SENTENCES.filter(({ after }) => after).length).toBeGreaterThanOrEqual(20);
  });

  it.each([...REAL_SENTENCES])('$after $said', async ({ after = [], said, call, input }) => {
    const tool = fakeModules();
    let last = '';
    const talked = await talk([...after, said], (method, given, module) => {
      last = `${module}.${method}`;
      return tool(method, given, module);
    });
    expect(last).toBe(call);
    const wanted = input['event_id'] === 'evt_new' ? { ...input, event_id: 'evt_3' } : input;
    expect(talked.at(-1)?.calls.at(-1)?.input).toMatchObject(wanted);
  });
});
