import fc from 'fast-check';

const LONE_SURROGATE = '\ud800';
const BIDI = 'a\u202e\u2066b\u2069';

/** Texts that broke somebody's server once. */
const HOSTILE_TEXTS = [
  '',
  ' ',
  '\0',
  'a\0b',
  LONE_SURROGATE,
  `x\udc00${LONE_SURROGATE}`,
  BIDI,
  '\ufeff',
  '\r\nSet-Cookie: a=b',
  'Ａ\u0301\u0327'.repeat(50),
  '👩‍👩‍👧‍👦'.repeat(30),
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'NaN',
  'Infinity',
  '-0',
  '1e999',
  '0x10',
  '9007199254740993',
  'null',
  'undefined',
  '[object Object]',
  '-rf',
  '--help',
  '../../etc/passwd',
  '..\\..\\windows',
  '/dev/null',
  '%00',
  '%E0%A4%A',
  '%s%s%n',
  "' OR 1=1 --",
  "'; DROP TABLE users; --",
  '\\',
  '%',
  '_',
  '$1',
  '${7*7}',
  '{{7*7}}',
  '`id`',
  '$(id)',
  '; cat /etc/hosts |',
  '<script>alert(1)</script>',
  '*.*',
  '*',
  '(a+)+$',
  '['.repeat(200),
  '{"a":'.repeat(50),
  '"',
  'file:///etc/passwd',
  'http://127.0.0.1:1/',
  'x'.repeat(201),
  'x'.repeat(70_000),
  '\u0130\u0131\ufb01',
];

/** Dates and times at the edges of what calendars, JavaScript and PostgreSQL can say. */
export const DATE_TEXTS = [
  '2026-12-01',
  '2026-12-02T10:00:00+08:00',
  '2026-12-02T11:00:00+08:00',
  '2026-12-02T10:00:00Z',
  '2026-12-02T10:00:00',
  '2026-02-30',
  '2024-02-29',
  '0000-01-01',
  '0000-01-01T00:00:00Z',
  '2026-02-31T00:00:00Z',
  '2026-12-01T10:00:00+23:59',
  '0001-01-01T00:00:00Z',
  '-000001-01-01T00:00:00Z',
  '-271821-04-20T00:00:00Z',
  '+275760-09-13T00:00:00Z',
  '9999-12-31T23:59:59Z',
  '9999-12-31T23:59:59-14:00',
  '294277-01-01',
  '2026-12-31T23:59:60Z',
  '2026-12-31T24:00:00Z',
  '2026-03-29T02:30:00+01:00',
  '2026-12-01T10:00:00+99:99',
  '2026-12-01T10:00:00.123456789Z',
  '2026-W01-1',
  'tomorrow',
  'infinity',
  'epoch',
];

export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...HOSTILE_TEXTS) },
  { weight: 1, arbitrary: fc.constantFrom(...DATE_TEXTS) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 60 }) },
);

export const hostileNumber: fc.Arbitrary<number> = fc.oneof(
  fc.constantFrom(0, -0, -1, 0.1, 1e308, -1e308, 5e-324, 2 ** 31, 2 ** 53, 2 ** 63, 1e21),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);

/** `{"a":{"a":…}}` or `[[…]]`, that deep. */
function nested(depth: number, list: boolean): unknown {
  let value: unknown = 'deep';
  for (let level = 0; level < depth; level += 1) value = list ? [value] : { a: value };
  return value;
}

const LARGE_VALUES: (() => unknown)[] = [
  () => nested(31, false),
  () => nested(40, true),
  () => nested(2_000, false),
  () => nested(2_000, true),
  () => Array.from({ length: 5_000 }, () => 0),
  () => Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`k${n}`, n])),
  () => JSON.parse('{"__proto__":{"isAdmin":true}}') as unknown,
  () => ({ constructor: { prototype: { isAdmin: true } } }),
  () => JSON.parse('{"toString":"x","valueOf":1,"then":"x","toJSON":1,"length":-1}') as unknown,
];

/** Any JSON value, with a preference for those that hurt. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: hostileText },
  { weight: 4, arbitrary: hostileNumber },
  { weight: 3, arbitrary: fc.constantFrom(null, true, false, [], {}, [[]], [null], '[]', '{}') },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 1, arbitrary: fc.constantFrom(...LARGE_VALUES).map((make) => make()) },
);

/** What stands for an id that the product gave out before; see `Finds`. */
export const knownId: fc.Arbitrary<string> = fc.nat(500).map((n) => `@id:${n}`);

/** The same for a cursor, as it is or with something done to it. */
export const knownCursor: fc.Arbitrary<string> = fc.oneof(
  fc.nat(50).map((n) => `@cursor:${n}`),
  fc.nat(50).map((n) => `@cursor:${n}~20`),
  fc.tuple(fc.nat(50), hostileText).map(([n, text]) => `@cursor:${n}${text}`),
  fc
    .tuple(fc.jsonValue({ maxDepth: 2 }))
    .map(([value]) => Buffer.from(JSON.stringify(value)).toString('base64url')),
);
