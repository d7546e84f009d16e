import { DataContext } from '@a2ui/web_core/v0_9';
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { checkCard, componentsOf } from '../../../test/support/a2ui.js';
import { isJsonObject, type JsonObject } from '../../common/json.js';
import { CARD_ROWS, type UiAction, type UiHints } from '../ui-hints.js';
import { drawCard } from './card-text.js';
import { compileUiHints } from './compile-ui-hints.js';
import { BASIC_CATALOG_ID } from './surface-builder.js';

const check = (hints: UiHints, surfaceId = 'call_1') => {
  const schema = compileUiHints(hints, surfaceId);
  return { schema, surface: checkCard(schema, surfaceId), text: drawCard(schema) };
};

const base: UiHints = {
  version: 1,
  template: 'calendar.read',
  locale: 'en',
  timezone: 'Asia/Shanghai',
  title: 'Agenda',
  tone: 'neutral',
  sections: [],
};

const remove: UiAction = {
  label: 'Delete',
  style: 'danger',
  module: 'calendar',
  method: 'delete',
  input: { id: 'evt_1', version: 3 },
};

describe('compileUiHints', () => {
  it('compiles into createSurface, updateComponents, updateDataModel of v0.9', () => {
    const { schema } = check(base, 'call_9');
    expect(schema.map((message) => Object.keys(message))).toEqual([
      ['version', 'createSurface'],
      ['version', 'updateComponents'],
      ['version', 'updateDataModel'],
    ]);
    expect(schema[0]).toEqual({
      version: 'v0.9',
      createSurface: { surfaceId: 'call_9', catalogId: BASIC_CATALOG_ID },
    });
  });

  it('draws an agenda with facts, rows, badges and buttons', () => {
    const { text } = check({
      ...base,
      locale: 'zh-CN',
      title: '4月21日的日程',
      subtitle: '共 2 项',
      sections: [
        {
          heading: '星期二',
          items: [
            { title: '项目会 🎉', subtitle: '15:00-16:00', badges: ['已接受'], actions: [remove] },
            { title: 'Lunch' },
          ],
        },
        { heading: '变更', fields: [{ label: '地点', value: 'Room 4', before: 'Room 3' }] },
      ],
      actions: [{ ...remove, label: 'New event', style: 'primary' }],
    });
    expect(text.split('\n')).toEqual([
      '┌──────────────────────────────────────────────────────────────┐',
      '│ •  4月21日的日程                                             │',
      '│ 共 2 项                                                      │',
      '│ 星期二                                                       │',
      '│ 项目会 🎉  已接受                                            │',
      '│ 15:00-16:00                                                  │',
      '│ [ Delete ]                                                   │',
      '│ Lunch                                                        │',
      '│ ──────────────────────────────────────────────────────────── │',
      '│ 变更                                                         │',
      '│ 地点  Room 3 → Room 4                                        │',
      '│ [ New event ]                                                │',
      '└──────────────────────────────────────────────────────────────┘',
    ]);
  });

  it('gives a button the call to make, which a client resolves when it is pressed', () => {
    const { surface } = check({ ...base, actions: [remove, { ...remove, input: {} }] });
    const button = surface.componentsModel.get('actions-0');
    const context = new DataContext(surface, '/');
    expect(context.resolveAction(button?.properties.action)).toEqual({
      event: {
        name: 'project_cli',
        context: { module: 'calendar', method: 'delete', input: { id: 'evt_1', version: 3 } },
      },
    });
  });

  it('does not let an input pass for a binding or a function call', () => {
    const input = { path: '/inputs/1', call: 'openUrl', args: { url: 'https://x.org' } };
    const { surface } = check({ ...base, actions: [{ ...remove, input }, remove] });
    const button = surface.componentsModel.get('actions-0');
    expect(new DataContext(surface, '/').resolveAction(button?.properties.action)).toMatchObject({
      event: { context: { input } },
    });
  });

  it.each(['neutral', 'positive', 'warning', 'negative'] as const)('has the tone %s', (tone) => {
    check({ ...base, tone });
    check({ ...base, tone, template: 'constructor.read' });
  });

  it('shows the first rows of a thousand and says how many are left', () => {
    const items = Array.from({ length: 1000 }, (_, n) => ({
      title: `Event ${n}`,
      actions: [remove],
    }));
    const { schema, text } = check({
      ...base,
      sections: [{ items: items.slice(0, 7) }, { items: items.slice(7) }, { items }],
    });
    expect(text).toContain(`Event ${CARD_ROWS - 1} `);
    expect(text).not.toContain(`Event ${CARD_ROWS} `);
    expect(text).toContain('1980 more are not shown');
    expect(JSON.stringify(schema).length).toBeLessThan(20_000);
  });

  it('says when there is nothing', () => {
    expect(check({ ...base, emptyText: 'No events' }).text).toContain('No events');
  });

  it.each([
    ['markup', '<script>alert(1)</script> **b** [x](javascript:1)'],
    ['a binding', '{"path":"/inputs/0"} ${/inputs/0}'],
    ['right-to-left', 'שלום عالم'],
    ['an override of direction', 'a\u202egnp.exe'],
    ['emoji', '👨‍👩‍👧‍👦🇨🇳e\u0301'],
    ['newlines and NUL', 'a\n# b\r\n\u0000c'],
    ['half a surrogate pair', '\ud83d'],
  ])('carries %s as plain text on one line', (_, hostile) => {
    const { schema } = check({
      ...base,
      title: hostile,
      sections: [{ items: [{ title: hostile }] }],
    });
    const title = componentsOf(schema).find((component) => component.id === 'title');
    expect(typeof title?.text).toBe('string');
    expect(title?.text).not.toMatch(/[\n\r\0\u202e\p{Surrogate}]/u);
  });

  it('cuts a very long text', () => {
    const { schema } = check({ ...base, title: '日程'.repeat(100_000) });
    expect(JSON.stringify(schema).length).toBeLessThan(5_000);
  });

  it('survives stored hints with missing and null members', () => {
    const stored: unknown = JSON.parse(
      '{"version":1,"template":"calendar.read","title":null,"tone":"loud","sections":[{"fields":null,"items":[{"title":null,"badges":null},{}],"heading":7}],"actions":null}',
    );
    const isHints = (value: unknown): value is UiHints => isJsonObject(value);
    if (!isHints(stored)) throw new Error('unreachable');
    expect(check(stored).text).toContain('calendar.read');
  });

  it('compiles whatever the texts are, and equal hints to equal messages', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: 'grapheme' }),
      fc.json(),
    );
    const json = fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true });
    const action = fc.record<UiAction>({
      label: text,
      style: fc.constantFrom('primary', 'secondary', 'danger'),
      module: text,
      method: text,
      input: json.map((input) => JSON.parse(JSON.stringify(input)) as JsonObject),
    });
    const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
    const hints = fc.record<UiHints>({
      version: fc.constant(1),
      template: text,
      locale: fc.constantFrom('zh-CN', 'en'),
      timezone: fc.constant('UTC'),
      title: text,
      tone: fc.constantFrom('neutral', 'positive', 'warning', 'negative'),
      subtitle: optional(text),
      sections: fc.array(
        fc.record({
          heading: optional(text),
          fields: optional(
            fc.array(fc.record({ label: text, value: text, before: optional(text) })),
          ),
          items: optional(
            fc.array(
              fc.record({
                title: text,
                subtitle: optional(text),
                badges: optional(fc.array(text)),
                actions: optional(fc.array(action, { maxLength: 2 })),
              }),
            ),
          ),
        }),
      ),
      actions: optional(fc.array(action, { maxLength: 2 })),
      emptyText: optional(text),
    });
    fc.assert(
      fc.property(hints, (value) => {
        const { schema } = check(value);
        const stored: unknown = JSON.parse(JSON.stringify(value));
        expect(compileUiHints(stored, 'call_1')).toEqual(schema);
      }),
      { numRuns: 25 },
    );
  });
});
