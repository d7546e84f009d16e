import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type { JsonValue } from '../common/json.js';
import { decodeProjection, projectResult, projectionBytes } from './projection.js';

const record = (data: JsonValue, status: 'success' | 'partial' = 'success') => ({
  status,
  result: { module: 'calendar', method: 'read', data },
  error: null,
});

describe('projectResult', () => {
  it('spreads an object beside the status', () => {
    expect(projectResult(record({ items: [{ id: 'evt_1' }], count: 1 }))).toBe(
      '{"status":"success","items":[{"id":"evt_1"}],"count":1}',
    );
    expect(projectResult(record({ count: 1 }, 'partial'))).toBe('{"status":"partial","count":1}');
  });

  it.each<[JsonValue, string]>([
    [[1], '{"status":"success","data":[1]}'],
    [null, '{"status":"success","data":null}'],
    ['text', '{"status":"success","data":"text"}'],
    [{ id: 1, status: 'declined' }, '{"status":"success","data":{"id":1,"status":"declined"}}'],
    [{ error: null }, '{"status":"success","data":{"error":null}}'],
    [{ data: [1] }, '{"status":"success","data":{"data":[1]}}'],
    [{ data: 1, more: 2 }, '{"status":"success","data":1,"more":2}'],
    [{}, '{"status":"success"}'],
  ])('of %j is %s', (data, text) => {
    expect(projectResult(record(data))).toBe(text);
    expect(decodeProjection(text)).toEqual({ status: 'success', data });
  });

  it('shows a failure as its error', () => {
    const error = {
      code: 'NOT_FOUND' as const,
      message: 'No event evt_1.',
      module: 'calendar',
      method: 'read',
      retryable: false,
    };
    const text = projectResult({ status: 'failure', result: null, error });
    expect(text).toBe(JSON.stringify({ status: 'failure', error }));
    expect(decodeProjection(text)).toEqual({ status: 'failure', error });
  });

  it('is lossless for every JSON value', () => {
    const keys = fc.oneof(
      fc.constantFrom('data', 'status', 'error', '__proto__', 'constructor', 'toString', '0'),
      fc.string(),
    );
    const json = fc.letrec<{ value: JsonValue }>((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.string({ unit: 'binary' }),
        fc.double({ noDefaultInfinity: true, noNaN: true }).map((n) => (n === 0 ? 0 : n)),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('value')),
        fc.dictionary(keys, tie('value'), { noNullPrototype: true }),
      ),
    })).value;
    fc.assert(
      fc.property(json, fc.constantFrom('success' as const, 'partial' as const), (data, status) => {
        const text = projectResult(record(data, status));
        const decoded = decodeProjection(text);
        expect(decoded?.status).toBe(status);
        const back = decoded && 'data' in decoded ? decoded.data : undefined;
        expect(back).toEqual(JSON.parse(JSON.stringify(data)));
        expect(projectionBytes(record(data, status))).toBe(new TextEncoder().encode(text).length);
      }),
      { numRuns: 500 },
    );
  });

  it('keeps a member named __proto__', () => {
    const data: JsonValue = JSON.parse('{"__proto__":{"a":1},"b":2}') as JsonValue;
    const text = projectResult(record(data));
    expect(text).toBe('{"status":"success","__proto__":{"a":1},"b":2}');
    const decoded = decodeProjection(text);
    expect(JSON.stringify(decoded)).toBe('{"status":"success","data":{"__proto__":{"a":1},"b":2}}');
  });

  it.each([
    '',
    'x',
    '[]',
    '{}',
    '{"status":1}',
    '{"status":"failure"}',
    '{"status":"failure","error":{}}',
  ])('does not take %j for a projection', (text) => {
    expect(decodeProjection(text)).toBeNull();
  });
});
