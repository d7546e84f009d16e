import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../common/json.js';
import { compileSchema } from '../../common/compile-schema.js';
import { checkedSchema } from './checked-schema.js';
import { ClientInputSchema } from './client-input-schema.js';
import { readToolSchema } from './tool-schema.js';

const ofX = (x: JsonValue, more: JsonObject = {}) => ({
  type: 'object',
  properties: { x },
  ...more,
});
/** `if` and what follows from it; a literal with `then` would look like a promise. */
const when = (condition: JsonValue, met: JsonValue, unmet: JsonValue = true): JsonObject =>
  Object.fromEntries(['if', 'then', 'else'].map((key, n) => [key, [condition, met, unmet][n]]));
const faults = (schema: JsonObject, x: JsonValue) => new ClientInputSchema(schema).faults({ x });

describe('the schema that inputs of a client’s tool are checked against', () => {
  it.each<[string, JsonObject, JsonValue]>([
    ['not', ofX({ type: 'string', not: { pattern: '^/etc' } }), 'home'],
    ['oneOf', ofX({ oneOf: [{ format: 'email' }, { format: 'uri' }] }), 'a@b.test'],
    ['if', ofX(when({ pattern: '^a' }, { minLength: 5 }, { maxLength: 3 })), 'b'],
    [
      'not, by a reference',
      ofX({ not: { $ref: '#/$defs/e' } }, { $defs: { e: { allOf: [{ uniqueItems: true }] } } }),
      [1, 1],
    ],
    ['maxContains', ofX({ contains: { pattern: '^a' }, maxContains: 1 }), ['a', 'b']],
    [
      'unevaluatedProperties',
      ofX({
        ...when({ properties: { k: { pattern: '^a' } } }, { properties: { k: true } }),
        unevaluatedProperties: false,
      }),
      { k: 'a' },
    ],
    ['nullable', ofX({ type: 'string', nullable: true }), null],
  ])('refuses nothing that is right for want of a check under %s', (_what, schema, x) => {
    expect(readToolSchema(schema, '').issues).toBeUndefined();
    expect(faults(schema, x)).toEqual([]);
  });

  it('keeps the conditions that it can check', () => {
    expect(faults(ofX({ not: { const: 'a' } }), 'a')).toHaveLength(1);
    expect(faults(ofX({ oneOf: [{ type: 'string' }, { minLength: 1 }] }), 'a')).toHaveLength(1);
    expect(faults(ofX(when({ const: 'a' }, { minLength: 5 })), 'a')).not.toEqual([]);
    // At least one of them, as far as they are checked, beside the others.
    const either = { oneOf: [{ type: 'string', format: 'email' }, { type: 'number' }] };
    expect(faults(ofX(either), true)).not.toEqual([]);
    expect(faults(ofX({ ...either, anyOf: [{ const: 1 }] }), 2)).not.toEqual([]);
  });

  it('accepts whatever the schema of the client accepts', () => {
    const { schema } = fc.letrec<{ schema: JsonObject }>((tie) => ({
      schema: fc.oneof(
        { maxDepth: 3, withCrossShrink: true },
        fc.constantFrom<JsonObject>(
          {},
          { pattern: '^a' },
          { uniqueItems: true },
          { type: 'string', nullable: true },
          { const: 'a' },
          { type: ['array', 'object'] },
          { $ref: '#/$defs/named' },
          { minLength: 2, title: 'T' },
          { properties: { k: { pattern: '^b' } }, required: ['k'] },
        ),
        fc
          .tuple(tie('schema'), tie('schema'))
          .chain(([a, b]) =>
            fc.constantFrom<JsonObject>(
              { not: a },
              { oneOf: [a, b] },
              { oneOf: [a, b], anyOf: [b, a], allOf: [b] },
              when(a, b),
              when(a, b, { not: b }),
              { contains: a, maxContains: 1, items: b },
              { contains: a, unevaluatedItems: false },
              { properties: { k: a }, additionalProperties: b },
              { anyOf: [{ properties: { k: a } }, b], unevaluatedProperties: false },
              { dependentSchemas: { k: a }, propertyNames: b },
            ),
          ),
      ),
    }));
    const text = fc.constantFrom('a', 'ab', 'b', 'k');
    const plain = fc.oneof(text, fc.constant(null), fc.array(text, { maxLength: 3 }));
    const value = fc.oneof(plain, fc.dictionary(text, plain, { maxKeys: 2 }));
    const named = fc.constantFrom<JsonObject>({ pattern: '^a' }, { const: 'a' }, { minLength: 2 });
    fc.assert(
      fc.property(
        schema,
        named,
        fc.array(value, { minLength: 5, maxLength: 5 }),
        (x, ref, values) => {
          const whole = ofX(x, { $defs: { named: ref } });
          const asked = compileSchema(whole);
          const checked = compileSchema(checkedSchema(whole));
          for (const one of values) if (asked({ x: one })) expect(checked({ x: one })).toBe(true);
        },
      ),
      { numRuns: 150 },
    );
  });
});
