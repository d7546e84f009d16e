import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { parseToolCall } from './parse-tool-call.js';

const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJlLXNpZ25hdHVyZQ';

describe('parseToolCall', () => {
  it.each([
    [{ module: 'a', method: 'b' }, {}],
    [{ module: 'a', method: 'b', input: {} }, {}],
    [{ module: 'a', method: 'b', input: { x: 1 } }, { x: 1 }],
    [{ module: 'a', method: 'b', input: '{"x":1}' }, { x: 1 }],
    ['{"module":"a","method":"b","input":{"x":[1]}}', { x: [1] }],
  ])('reads %j', (call, input) => {
    expect(parseToolCall(call)).toEqual({ args: { module: 'a', method: 'b', input }, input });
  });

  it.each([
    [null],
    [[]],
    [7],
    [''],
    ['{'],
    [undefined],
    [{}],
    [{ module: 'a' }],
    [{ module: 'a', method: 5 }],
    [{ module: '', method: 'b' }],
    [{ module: 'a', method: 'b', input: null }],
    [{ module: 'a', method: 'b', input: [] }],
    [{ module: 'a', method: 'b', input: 1 }],
    [{ module: 'a', method: 'b', input: 'text' }],
    [{ module: 'a', method: 'b', input: '{"x":1,"x":2}' }],
    [{ module: 'a', method: 'b', x: 1 }],
    [{ module: 'a\n', method: 'b' }],
    [{ module: 'a\0', method: 'b' }],
    [{ module: 'm'.repeat(65), method: 'b' }],
    ['{"module":"a","module":"b","method":"c"}'],
    [{ command: 'calendar', subcommand: 'read', args: {} }],
  ])('refuses %j', (call) => {
    expect(parseToolCall(call).error?.code).toBe('INVALID_TOOL_CALL');
  });

  it('tells a caller of the older form, and of a misspelt key, what is right', () => {
    const old = parseToolCall({ command: 'calendar', args: {} });
    expect(old.error?.message).toContain('"module"');
    const misspelt = parseToolCall({ module: 'a', method: 'b', inputs: {} });
    expect(misspelt.error?.message).toContain('did you mean "input"');
  });

  it.each([
    [{ module: 'a', method: 'b', input: { token: 'x' } }],
    [{ module: 'a', method: 'b', input: `{"deep":[{"note":"${JWT}"}]}` }],
    [{ module: 'a', method: 'b', token: JWT }],
    [{ module: 'a', method: `see ${JWT}`.slice(0, 64), input: { owner_id: 'usr_1' } }],
  ])('refuses a credential and does not repeat it', (call) => {
    const parsed = parseToolCall(call);
    expect(parsed.error?.code).toBe('CREDENTIAL_IN_INPUT');
    expect(JSON.stringify([parsed, parsed.error?.message, parsed.error?.details])).not.toContain(
      JWT,
    );
  });

  it('never throws, and what it records can be stored', () => {
    fc.assert(
      fc.property(fc.oneof(fc.anything(), fc.json(), fc.string()), (call) => {
        const { args } = parseToolCall(call);
        expect(JSON.parse(JSON.stringify(args))).toEqual(args);
        expect(JSON.stringify(args)).not.toContain('\\u0000');
      }),
    );
  });
});
