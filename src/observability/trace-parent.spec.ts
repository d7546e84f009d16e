import { describe, expect, it } from '@jest/globals';
import { readTraceparent, writeTraceparent } from './trace-parent.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

describe('traceparent', () => {
  it.each(['00', '01'])('is written as it was read, with flags %s', (flags) => {
    const header = `00-${TRACE}-${SPAN}-${flags}`;
    const context = readTraceparent(header);
    expect(context).toMatchObject({ traceId: TRACE, spanId: SPAN, isRemote: true });
    expect(context && writeTraceparent(context)).toBe(header);
  });

  it('of a later version is read as far as it is known', () => {
    expect(readTraceparent(`01-${TRACE}-${SPAN}-01-more`)?.spanId).toBe(SPAN);
  });

  it.each([
    undefined,
    '',
    'x',
    `00-${TRACE}-${SPAN}-01-more`,
    `ff-${TRACE}-${SPAN}-01`,
    `00-${'0'.repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}-01\n`,
  ])('that is none is ignored: %j', (header) => {
    expect(readTraceparent(header)).toBeNull();
  });
});
