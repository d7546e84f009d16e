import fc from 'fast-check';
import {
  DATE_TEXTS,
  hostileNumber,
  hostileText,
  hostileValue,
  knownCursor,
  knownId,
} from './hostile-values.js';

/** As much of JSON Schema as the product's documents use. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  minimum?: number;
  maximum?: number;
  pattern?: string;
  example?: unknown;
  examples?: unknown[];
}

/** Gives the schema that a `$ref` names. */
export type Resolve = (ref: string) => Schema | undefined;

const MAX_DEPTH = 6;

/** What a member's name promises of its text. */
const TEXTS_BY_NAME: [RegExp, fc.Arbitrary<string>][] = [
  [/cursor$/i, knownCursor],
  [/(_at|date|start|end|since|until|from|to)$/i, fc.constantFrom(...DATE_TEXTS)],
  [/id$/i, knownId],
  [/email/i, fc.constantFrom('a@example.com', 'A@EXAMPLE.com', 'a@b', '"a b"@example.com')],
  [/timezone/i, fc.constantFrom('Asia/Shanghai', 'UTC', 'Mars/Base', '+25:00', 'Etc/GMT+12')],
  [
    /rule|recurrence|rrule/i,
    fc.constantFrom(
      'FREQ=DAILY',
      'FREQ=SECONDLY;COUNT=1000000',
      'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30',
      'FREQ=MONTHLY;BYSETPOS=-366;BYDAY=MO',
      'FREQ=DAILY;INTERVAL=0',
      'FREQ=DAILY;UNTIL=99999999T999999Z',
    ),
  ],
  [/phone/i, fc.constantFrom('+86 138 0013 8000', '１３８００１３８０００', '+', 'tel:0')],
  [/url/i, fc.constantFrom('https://example.com/x', 'javascript:alert(1)', 'http://[::1]/', '//x')],
];

function textFor(schema: Schema, name: string): fc.Arbitrary<string> {
  const honest = fc.constantFrom('Weekly review', '和王总开会', 'a', '10', 'true', '["a"]');
  const named = TEXTS_BY_NAME.find(([pattern]) => pattern.test(name))?.[1];
  const matching = schema.pattern === undefined ? undefined : matchingText(schema.pattern);
  return fc.oneof(
    { weight: 6, arbitrary: named ?? matching ?? honest },
    { weight: 2, arbitrary: honest },
    { weight: 1, arbitrary: hostileText },
  );
}

/** Undefined for a pattern that the generator does not know how to meet. */
function matchingText(pattern: string): fc.Arbitrary<string> | undefined {
  try {
    return fc.stringMatching(new RegExp(pattern));
  } catch {
    return undefined;
  }
}

function numberFor({ type, minimum = 0, maximum = 200 }: Schema): fc.Arbitrary<number> {
  const inside =
    type === 'number'
      ? fc.double({ min: minimum, max: Math.max(minimum, maximum), noNaN: true })
      : fc.integer({ min: Math.ceil(minimum), max: Math.max(Math.ceil(minimum), maximum) });
  return fc.oneof(
    { weight: 6, arbitrary: inside },
    { weight: 2, arbitrary: fc.constantFrom(minimum - 1, maximum + 1, minimum, maximum) },
    { weight: 1, arbitrary: hostileNumber },
  );
}

function objectFor(schema: Schema, resolve: Resolve, depth: number): fc.Arbitrary<unknown> {
  const required = new Set(schema.required);
  const members = Object.entries(schema.properties ?? {}).map(([key, member]) => {
    const present = required.has(key) ? { weight: 40, absent: 1 } : { weight: 1, absent: 2 };
    const value = inputFor(member, resolve, key, depth + 1);
    return fc.oneof(
      {
        weight: present.weight,
        arbitrary: value.map((given): [string, unknown][] => [[key, given]]),
      },
      { weight: present.absent, arbitrary: fc.constant<[string, unknown][]>([]) },
    );
  });
  const extra = fc.oneof(
    { weight: 12, arbitrary: fc.constant<[string, unknown][]>([]) },
    { weight: 1, arbitrary: fc.tuple(hostileText, hostileValue).map((one) => [one]) },
  );
  // Entries, not assignment: `__proto__` must arrive as a key.
  return fc
    .tuple(extra, ...members)
    .map((entries) => Object.fromEntries(entries.flat()) as unknown);
}

function shaped(
  schema: Schema,
  resolve: Resolve,
  name: string,
  depth: number,
): fc.Arbitrary<unknown> {
  const parts = schema.oneOf ?? schema.anyOf ?? schema.allOf;
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (parts && parts.length > 0) {
    return fc.oneof(...parts.map((part) => inputFor(part, resolve, name, depth)));
  }
  const types = [schema.type ?? (schema.properties ? 'object' : 'any')].flat();
  return fc.oneof(
    ...types.map((type): fc.Arbitrary<unknown> => {
      switch (type) {
        case 'object':
          return schema.properties ? objectFor(schema, resolve, depth) : fc.constant({});
        case 'array':
          return fc.oneof(
            {
              weight: 20,
              arbitrary: fc.array(inputFor(schema.items ?? {}, resolve, name, depth + 1), {
                maxLength: 3,
              }),
            },
            {
              weight: 1,
              arbitrary: inputFor(schema.items ?? {}, resolve, name, depth + 1).map((item) =>
                Array.from({ length: 300 }, () => item),
              ),
            },
          );
        case 'string':
          return textFor(schema, name);
        case 'integer':
        case 'number':
          return numberFor({ ...schema, type });
        case 'boolean':
          return fc.constantFrom(true, false, 'true', 'yes');
        default:
          return hostileValue;
      }
    }),
  );
}

/**
 * Values near what a schema wants: mostly of the right shape, here and there with a member missing,
 * added, or replaced by something hostile.
 */
export function inputFor(
  schema: Schema,
  resolve: Resolve = () => undefined,
  name = '',
  depth = 0,
): fc.Arbitrary<unknown> {
  if (depth > MAX_DEPTH) return hostileValue;
  const meant = schema.$ref === undefined ? schema : (resolve(schema.$ref) ?? {});
  const examples = [meant.example, ...(meant.examples ?? [])].filter((one) => one !== undefined);
  return fc.oneof(
    { weight: 16, arbitrary: shaped(meant, resolve, name, depth) },
    { weight: 1, arbitrary: hostileValue },
    ...(examples.length > 0 ? [{ weight: 4, arbitrary: fc.constantFrom(...examples) }] : []),
  );
}
