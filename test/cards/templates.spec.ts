import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { readdirSync, readFileSync } from 'node:fs';
import type { JsonObject, JsonValue } from '../../src/common/json.js';
import type { Locale } from '../../src/common/locale.js';
import { drawCard } from '../../src/tool-output/a2ui/card-text.js';
import { MAX_CARD_BYTES, compileUiHints } from '../../src/tool-output/a2ui/compile-ui-hints.js';
import { findCredential } from '../../src/tool-output/credential-scan.js';
import { UI_HINTS_VERSION } from '../../src/tool-output/ui-hints.js';
import { buttonsOf, checkCard } from '../support/a2ui.js';
import { CARD_CASES, type CardCase } from './card-cases.js';
import { CARD_TEMPLATES } from './card-templates.js';

const json = <T extends JsonValue>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** The compiled card, checked against A2UI's own schemas and the bound of its size. */
function compile({ id, data, input }: CardCase, locale: Locale, timezone = 'Asia/Shanghai') {
  const hints = CARD_TEMPLATES[id]?.(json(data), json(input), { locale, timezone });
  if (!hints) throw new Error(`${id} has no card for this.`);
  const schema = compileUiHints(hints, 'call_1');
  checkCard(schema, 'call_1');
  expect(Buffer.byteLength(JSON.stringify(schema))).toBeLessThanOrEqual(MAX_CARD_BYTES);
  return { schema, text: drawCard(schema) };
}

/** Every text of the data replaced, down to where structure would be lost; ids and codes stay. */
function withTexts(value: JsonValue | undefined, text: string): JsonValue {
  if (Array.isArray(value)) return value.map((entry) => withTexts(entry, text));
  if (typeof value === 'string') {
    return /^[A-Z_]+$|^(evt|con|mem|usr)_|^\d{4}-|^[a-z_]+$|\//.test(value) ? value : text;
  }
  if (typeof value !== 'object' || value === null) return value ?? null;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, withTexts(member, text)]),
  );
}

function withLists(value: JsonObject, change: (list: JsonValue[]) => JsonValue[]): JsonObject {
  const grown = Object.entries(value).map(([key, member]): [string, JsonValue | undefined] => [
    key,
    Array.isArray(member) ? change(member) : member,
  ]);
  return Object.fromEntries(grown);
}

const HOSTILE: [name: string, text: string][] = [
  ['100 kB of text', '日程x'.repeat(14_000)],
  ['markup and script', '<script>alert(1)</script> **b** [x](javascript:1) ${/inputs/0}'],
  ['right-to-left', 'שלום عالم'],
  ['bidi overrides', 'a\u202egnp.exe\u2066b'],
  ['emoji and combining marks', `👨‍👩‍👧‍👦🇨🇳 e${'\u0301'.repeat(300)}`],
  ['newlines and controls', 'a\n# b\r\n\u0000\u0007c'],
  ['half a surrogate pair', '\ud83d x'],
];

describe.each(CARD_CASES)('the card $name', (card) => {
  it.each(HOSTILE)('carries %s', (_name, text) => {
    for (const locale of ['zh-CN', 'en'] as const) {
      const hostile = withTexts(card.data, text);
      const { text: drawn } = compile({ ...card, data: hostile as JsonObject }, locale);
      expect(drawn.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e\u2066\p{Surrogate}]/u);
    }
  });

  it('speaks one language at a time, with the weekday of every date', () => {
    const zh = compile(card, 'zh-CN').text;
    const en = compile(card, 'en', 'America/New_York').text;
    const labels = /\b(When|Where|Open|Delete|More|Notes|Repeats|Forget|Merge|failed|invited)\b/;
    expect(zh).not.toMatch(labels);
    // What is Chinese in the data stands after its English; nothing else is.
    expect(en).not.toMatch(/时间|地点|查看|删除|更多|备注|重复|忘记|合并|失败|已邀请|星期/);
    expect(zh).not.toMatch(/\d{4}-\d\d-\d\d|\b(evt|con|mem|usr)_/);
    expect(en).not.toMatch(/\d{4}-\d\d-\d\d|\b(evt|con|mem|usr)_/);
    // A birthday is a date without one.
    const dates = zh.match(/(?<!生日 +)\b\d+年\d+月\d+日.{0,2}/g) ?? [];
    for (const date of dates) expect(date).toMatch(/ 星/);
  });

  it('survives missing and null members, and empty lists', () => {
    for (const key of Object.keys(card.data)) {
      for (const value of [null, undefined, [], {}, [null, 5, {}], 7]) {
        compile({ ...card, data: { ...card.data, [key]: value } }, 'zh-CN');
      }
    }
    compile({ ...card, data: {} }, 'en');
    compile({ ...card, data: withLists(card.data, () => []) }, 'en');
  });

  it('keeps its size with a thousand of everything', () => {
    const many = withLists(card.data, (list) =>
      Array.from({ length: 1000 }, (_, n) => list[n % Math.max(1, list.length)] ?? {}),
    );
    const long = withTexts(many, '日程'.repeat(500));
    compile({ ...card, data: many }, 'zh-CN');
    compile({ ...card, data: long as JsonObject }, 'en');
  });

  it("has buttons that carry neither a credential nor anybody else's id", () => {
    for (const { input } of buttonsOf(compile(card, 'en').schema, 'call_1')) {
      expect(findCredential(input)).toBeNull();
      expect(JSON.stringify(input)).not.toMatch(/usr_|user_id|owner|@example/);
    }
  });
});

it('is never larger than its bound, whatever a method returns', () => {
  const data = fc.dictionary(
    fc.constantFrom('items', 'title', 'id', 'targets', 'changes', 'groups', 'candidates', 'range'),
    fc.oneof(
      fc.jsonValue(),
      fc.array(fc.dictionary(fc.constantFrom('title', 'id', 'text', 'name'), fc.jsonValue())),
      fc.string({ unit: 'grapheme', maxLength: 4000 }),
    ),
    { noNullPrototype: true },
  );
  fc.assert(
    fc.property(data, fc.constantFrom(...CARD_CASES), (more, card) => {
      compile({ ...card, data: json({ ...card.data, ...more }) }, 'zh-CN');
    }),
    { numRuns: 60 },
  );
});

describe('stored hints', () => {
  const folder = new URL('./hints-v1/', import.meta.url);
  const read = (file: string): JsonObject =>
    JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as JsonObject;
  const files = readdirSync(folder);

  it.each(files)('of version 1 compile: %s', (file) => {
    const hints = read(file);
    expect(hints.version).toBe(1);
    const schema = compileUiHints(hints, 'call_1');
    checkCard(schema, 'call_1');
    expect(drawCard(schema)).toContain(String(hints.title));
    // Every button that was stored is still there.
    const stored = JSON.stringify(hints).match(/"style":/g)?.length ?? 0;
    expect(buttonsOf(schema, 'call_1')).toHaveLength(stored);
  });

  it('were kept of every template', () => {
    const templates = new Set(files.map((file) => read(file).template));
    expect(templates).toEqual(new Set(Object.keys(CARD_TEMPLATES)));
  });

  it.each<[string, unknown]>([
    ['of a newer version', { ...read(files[0] ?? ''), version: UI_HINTS_VERSION + 1 }],
    ['without a version', { ...read(files[0] ?? ''), version: undefined }],
    ['without sections', { ...read(files[0] ?? ''), sections: 'none' }],
    ['without a template', { ...read(files[0] ?? ''), template: null }],
    ['that are no object', [1]],
    ['that are a text', 'hints'],
  ])('%s give no card', (_name, stored) => {
    expect(() => compileUiHints(stored, 'call_1')).toThrow();
  });
});
