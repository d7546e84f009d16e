import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../common/json.js';
import { exactNumber } from './exact-number.js';
import { InputSchema } from './input-schema.js';
import { parseLosslessJson } from './lossless-json.js';
import { repairInput } from './repair.js';

const SCHEMA = new InputSchema({
  type: 'object',
  additionalProperties: false,
  properties: {
    flag: { type: 'boolean' },
    count: { type: 'integer' },
    ratio: { type: 'number' },
    text: { type: 'string' },
    either: { anyOf: [{ type: 'integer' }, { type: 'string', enum: ['all', '7'] }] },
    maybe: { type: ['integer', 'null'] },
    list: { type: 'array', items: { type: 'integer' } },
    inner: {
      type: 'object',
      properties: { flag: { type: 'boolean' }, list: { type: 'array', items: { type: 'string' } } },
      additionalProperties: false,
    },
    free: { type: 'object' },
  },
});

const repaired = (input: JsonObject): JsonObject => repairInput(SCHEMA, input).input;

describe('repairInput', () => {
  it.each<[JsonObject, JsonObject]>([
    [{ flag: 'true' }, { flag: true }],
    [{ flag: 'false' }, { flag: false }],
    [{ count: '123' }, { count: 123 }],
    [{ count: '-456' }, { count: -456 }],
    [{ count: '1.0' }, { count: 1 }],
    [{ count: '1e3' }, { count: 1000 }],
    [{ count: '-0' }, { count: 0 }],
    [{ ratio: '3.14' }, { ratio: 3.14 }],
    [{ ratio: '-2.5e-3' }, { ratio: -0.0025 }],
    [{ text: 5 }, { text: '5' }],
    [{ text: true }, { text: 'true' }],
    [{ maybe: '4' }, { maybe: 4 }],
    [{ either: '12' }, { either: 12 }],
    [{ list: '[1,"2"]' }, { list: [1, 2] }],
    [{ inner: '{"flag":"true","list":"[1]"}' }, { inner: { flag: true, list: ['1'] } }],
    [{ free: '{"a":"1"}' }, { free: { a: '1' } }],
  ])('repairs %j', (input, expected) => {
    expect(repaired(input)).toEqual(expected);
  });

  it.each<JsonObject>([
    { flag: 'True' },
    { flag: 'yes' },
    { flag: 1 },
    { count: '' },
    { count: ' 5 ' },
    { count: '0x10' },
    { count: '+5' },
    { count: '05' },
    { count: '5.5' },
    { count: 'NaN' },
    { count: 'Infinity' },
    { count: '9007199254740993' },
    { count: 5.5 },
    { count: true },
    { count: null },
    { ratio: '1e400' },
    { ratio: '1e-400' },
    { ratio: '1_000' },
    { text: null },
    { text: ['a'] },
    { list: '{"a":1}' },
    { list: 'a,b' },
    { list: '[9007199254740993]' },
    { inner: '[1]' },
    { inner: '{"flag":true,"flag":false}' },
    { free: '{' },
  ])('leaves %j as it is', (input) => {
    expect(repairInput(SCHEMA, input)).toEqual({ input, repairs: [] });
  });

  it.each<JsonObject>([
    { text: '5' },
    { text: 'true' },
    { text: '{"count":"1"}' },
    { either: 'all' },
    { either: '7' },
    { maybe: null },
    { free: { count: '1', flag: 'true' } },
  ])('does not touch the valid %j', (input) => {
    expect(repairInput(SCHEMA, input)).toEqual({ input, repairs: [] });
  });

  it('reports what it changed, with deep paths', () => {
    const input = { inner: { flag: 'true', list: [1, 'a'] }, count: '2' };
    expect(repairInput(SCHEMA, input).repairs).toEqual(
      expect.arrayContaining([
        { path: 'inner.flag', from: 'true', to: true },
        { path: 'inner.list.0', from: 1, to: '1' },
        { path: 'count', from: '2', to: 2 },
      ]),
    );
    expect(input).toEqual({ inner: { flag: 'true', list: [1, 'a'] }, count: '2' });
  });

  const scalar = fc.oneof(
    fc.string(),
    fc.boolean(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer().map(String),
    fc.double({ noNaN: true }).map(String),
    fc.constantFrom('true', 'false', '', '[]', '{}', '[1,"2"]', '{"flag":"true"}', null),
  );
  const anything: fc.Arbitrary<JsonValue> = fc.oneof(
    scalar,
    fc.array(scalar, { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('flag', 'list', 'x'), scalar),
  );
  const keys = Object.keys(SCHEMA.schema.properties ?? {});
  const inputs = fc.dictionary(fc.constantFrom(...keys, 'other'), anything, {
    noNullPrototype: true,
  });

  it('changes nothing the second time', () => {
    fc.assert(
      fc.property(inputs, (input) => {
        const once = repaired(input);
        expect(repairInput(SCHEMA, once)).toEqual({ input: once, repairs: [] });
      }),
    );
  });

  it('gives a valid input back as it is, and never makes a valid place invalid', () => {
    fc.assert(
      fc.property(inputs, (input) => {
        const before = SCHEMA.faults(input);
        const { input: after, repairs } = repairInput(SCHEMA, input);
        if (before.length === 0) expect(after).toBe(input);
        const bad = new Set(before.map(({ instancePath }) => instancePath.split('/')[1]));
        for (const key of Object.keys(input)) {
          if (!bad.has(key)) expect(after[key]).toEqual(input[key]);
        }
        if (repairs.length === 0) expect(after).toEqual(input);
      }),
    );
  });

  it('loses nothing: what was a string can be read back', () => {
    fc.assert(
      fc.property(inputs, (input) => {
        for (const { from, to } of repairInput(SCHEMA, input).repairs) {
          if (typeof from === 'string') expect(JSON.parse(from)).toEqual(to);
          else expect(JSON.parse(String(to))).toBe(from === 0 ? 0 : from);
        }
      }),
    );
  });
});

describe('exactNumber', () => {
  it('reads back every number that JavaScript writes', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(exactNumber(JSON.stringify(value))).toBe(value + 0);
      }),
    );
  });

  it('takes an integer only when it is exactly that, or is written back as it was', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }), (integer) => {
        const value = exactNumber(String(integer));
        if (value === null) expect(BigInt(Number(integer))).not.toBe(integer);
        else expect([String(BigInt(value)), String(value)]).toContain(String(integer));
      }),
    );
  });

  it('takes 17 digits, as other languages write them, but not more than a double holds', () => {
    expect(exactNumber('0.10000000000000001')).toBe(0.1);
    expect(exactNumber('3.14159265358979323846')).toBeNull();
  });
});

describe('parseLosslessJson', () => {
  it('reads back what JSON.stringify writes', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        expect(JSON.stringify(parseLosslessJson(text))).toBe(text);
      }),
    );
  });

  it.each([
    '{"a":1,"a":2}',
    '{"a":{"b":1,"\\u0062":2}}',
    '[9007199254740993]',
    '{"n":1e999}',
    'x',
    '',
  ])('refuses %s', (text) => {
    expect(parseLosslessJson(text)).toBeUndefined();
  });
});
