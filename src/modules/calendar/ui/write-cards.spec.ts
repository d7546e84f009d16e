import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../common/json.js';
import type { Locale } from '../../../common/locale.js';
import { drawCard } from '../../../tool-output/a2ui/card-text.js';
import { compileUiHints } from '../../../tool-output/a2ui/compile-ui-hints.js';
import { buildToolContentSummary } from '../../../tool-output/summary/tool-content-summary.js';
import type { UiTemplate } from '../../../tool-router/public.js';
import * as ui from '../calendar.ui.js';

const event: JsonObject = {
  id: 'evt_1~20260421T150000',
  seriesId: 'evt_1',
  recurrenceId: '20260421T150000',
  title: '项目会',
  allDay: false,
  startAt: '2026-04-21T15:00:00+08:00',
  endAt: '2026-04-21T16:00:00+08:00',
  timezone: 'Asia/Shanghai',
  organizer: { name: 'Olga' },
  attendees: [{ name: 'Amy', status: 'pending' }],
  role: 'owner',
  myStatus: 'owner',
  version: 2,
};
const conflicts = [
  {
    id: 'evt_2',
    title: '牙医',
    startAt: '2026-04-21T15:30:00+08:00',
    endAt: '2026-04-21T16:30:00+08:00',
  },
];
const moved = [
  { field: 'startAt', before: '2026-04-21T14:00:00+08:00', after: '2026-04-21T15:00:00+08:00' },
  { field: 'endAt', before: '2026-04-21T15:00:00+08:00', after: '2026-04-21T16:00:00+08:00' },
];

/** The card as a person reads it, lines joined, and the sentence beside it. */
function shown(template: UiTemplate, method: string, data: JsonObject, locale: Locale): string {
  const context = { locale, timezone: 'Asia/Shanghai' };
  const schema = compileUiHints(template(data, {}, context), 's');
  expect(schema).not.toBeNull();
  const text = drawCard(schema, 76).replace(/[│|]/g, ' ').replace(/\s+/g, ' ');
  const call = { module: 'calendar', method };
  const summary = buildToolContentSummary(
    'project_cli',
    { ...call, input: {} },
    { ...call, data },
    null,
    locale,
  );
  return `${text} / ${summary}`;
}

describe('what a new time overlaps', () => {
  it.each<[Locale, UiTemplate, string, JsonObject, string[]]>([
    [
      'zh-CN',
      ui.createCard,
      'create',
      {},
      ['时间与这些日程重叠', '牙医', '15:30–16:30', '与 1 条日程重叠'],
    ],
    ['en', ui.createCard, 'create', {}, ['At the same time', '15:30–16:30', 'overlaps 1 event']],
    [
      'zh-CN',
      ui.updateCard,
      'update',
      { changes: moved },
      ['时间与这些日程重叠', '与 1 条日程重叠'],
    ],
    ['en', ui.updateCard, 'update', { changes: moved }, ['At the same time', 'overlaps 1 event']],
  ])('is said in %s', (locale, template, method, more, words) => {
    const text = shown(template, method, { ...event, ...more, conflicts }, locale);
    for (const word of words) expect(text).toContain(word);
    expect(
      template({ ...event, ...more, conflicts }, {}, { locale, timezone: 'UTC' }),
    ).toMatchObject({ tone: 'warning' });
  });

  it.each<[Locale, string]>([
    ['zh-CN', '重叠'],
    ['en', 'overlap'],
  ])('is not spoken of in %s when the time is free', (locale, word) => {
    expect(shown(ui.createCard, 'create', event, locale).toLowerCase()).not.toContain(word);
    expect(
      shown(ui.updateCard, 'update', { ...event, changes: moved }, locale).toLowerCase(),
    ).not.toContain(word);
  });
});

describe('who is asked again', () => {
  it.each<[Locale, string]>([
    ['zh-CN', '已重新征求回复'],
    ['en', 'Asked to answer again'],
  ])('is said in %s, and why', (locale, words) => {
    const data = { ...event, changes: moved, askedAgain: ['Amy', 'bo@example.com'] };
    const text = shown(ui.updateCard, 'update', data, locale);
    expect(text).toContain(words);
    expect(text).toMatch(/Amy(?:、|, )bo@example\.com/);
    expect(text).toMatch(/14:00–15:00.*15:00–16:00|15:00–16:00.*14:00–15:00/);
  });
});

describe('how much of a series', () => {
  const WORDS: [Locale, string, string][] = [
    ['zh-CN', 'this', '仅此次'],
    ['zh-CN', 'this_and_following', '此次及以后'],
    ['zh-CN', 'all', '整个系列'],
    ['en', 'this', 'this occurrence only'],
    ['en', 'this_and_following', 'this and following'],
    ['en', 'all', 'the whole series'],
  ];
  const METHODS: [string, UiTemplate, JsonObject][] = [
    ['update', ui.updateCard, { changes: moved }],
    ['delete', ui.deleteCard, { deleted: true }],
    ['accept_invite', ui.acceptCard, { status: 'accepted' }],
    ['reject_invite', ui.rejectCard, { status: 'rejected' }],
  ];
  it.each(WORDS)('%s: %s', (locale, scope, words) => {
    for (const [method, template, more] of METHODS) {
      const text = shown(template, method, { ...event, ...more, scope }, locale);
      expect(`${method}: ${text}`).toContain(words);
    }
  });

  it.each(['zh-CN', 'en'] as const)('is not spoken of for a single event in %s', (locale) => {
    for (const [method, template, more] of METHODS) {
      const text = shown(template, method, { ...event, ...more }, locale);
      for (const [, , words] of WORDS) expect(`${method}: ${text}`).not.toContain(words);
    }
  });
});
