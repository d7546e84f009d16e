import { describe, expect, it } from '@jest/globals';
import type { UiContext } from '../../../tool-output/ui-hints.js';
import type { CreateEventsInput, UpdateEventInput } from '../dto/event-input.dto.js';
import type { EventView } from '../dto/event-view.dto.js';
import { changeText, createText } from './call-text.js';

const ZH: UiContext = { locale: 'zh-CN', timezone: 'Asia/Shanghai' };
const EN: UiContext = { locale: 'en', timezone: 'America/New_York' };
const start_at = '2026-12-01T15:00:00+08:00';
const RAW = /\d{4}-\d{2}-\d{2}|T\d{2}:\d{2}/;

describe('what a call would create', () => {
  it.each<[string, CreateEventsInput, string, string]>([
    [
      'a start alone, for an hour',
      { title: 'A', start_at },
      'A（2026年12月1日 星期二 15:00–16:00）',
      'A (Tue 1 December 2026 02:00–03:00)',
    ],
    [
      'a length, over a midnight of one of the two',
      { title: 'A', start_at: '2026-12-01T23:30:00+08:00', duration_minutes: 60 },
      'A（2026年12月1日 星期二 23:30 – 2026年12月2日 星期三 00:30）',
      'A (Tue 1 December 2026 10:30–11:30)',
    ],
    [
      'an end in another offset',
      { title: 'A', start_at, end_at: '2026-12-01T08:30:00Z' },
      'A（2026年12月1日 星期二 15:00–16:30）',
      'A (Tue 1 December 2026 02:00–03:30)',
    ],
    [
      'whole days, the same for all',
      { title: 'A', start_date: '2026-12-24', end_date: '2026-12-26' },
      'A（2026年12月24日 星期四 – 2026年12月26日 星期六 全天）',
      'A (Thu 24 December 2026 – Sat 26 December 2026 All day)',
    ],
    [
      'a time of day that is the same everywhere',
      { title: 'A', start_at, timezone: 'Asia/Shanghai', floating: true },
      'A（2026年12月1日 星期二 15:00–16:00）',
      'A (Tue 1 December 2026 15:00–16:00)',
    ],
    [
      'a series',
      { title: 'A', start_at, rrule: 'FREQ=DAILY;COUNT=5' },
      'A（2026年12月1日 星期二 15:00–16:00，每天，共 5 次）',
      'A (Tue 1 December 2026 02:00–03:00, every day, 5 times)',
    ],
    [
      'several, of which one makes no event',
      {
        events: [
          { title: 'A', start_at },
          { title: 'B', start_at, end_at: start_at },
        ],
      },
      'A（2026年12月1日 星期二 15:00–16:00）、B',
      'A (Tue 1 December 2026 02:00–03:00), B',
    ],
  ])('is told in the words and the zone of its reader: %s', (_what, input, zh, en) => {
    expect(createText(input, ZH)).toBe(zh);
    expect(createText(input, EN)).toBe(en);
    expect(zh + en).not.toMatch(RAW);
  });

  it('is refused where its times make no event', () => {
    const never = { title: 'A', start_at, end_at: start_at };
    expect(() => createText(never, ZH)).toThrow('end_at');
  });
});

describe('what a call would change', () => {
  const event: EventView = {
    id: 'evt_1',
    title: 'A',
    allDay: false,
    startAt: '2026-12-01T15:00:00+08:00',
    endAt: '2026-12-01T17:00:00+08:00',
    timezone: 'Asia/Shanghai',
    organizer: {},
    attendees: [],
    role: 'owner',
    myStatus: 'owner',
    version: 1,
    createdAt: '2026-11-01T00:00:00Z',
    updatedAt: '2026-11-01T00:00:00Z',
  };

  it.each<[string, Omit<UpdateEventInput, 'event_id'>, string, string]>([
    [
      'a new start, of which it keeps its length',
      { start_at: '2026-12-02T10:00:00+08:00' },
      ' → 2026年12月2日 星期三 10:00–12:00',
      ' → Tue 1 December 2026 21:00–23:00',
    ],
    [
      'a new length',
      { duration_minutes: 30 },
      ' → 2026年12月1日 星期二 15:00–15:30',
      ' → Tue 1 December 2026 02:00–02:30',
    ],
    [
      'whole days instead',
      { all_day: true },
      ' → 2026年12月1日 星期二 全天',
      ' → Tue 1 December 2026 All day',
    ],
    [
      'title, time and place',
      { title: 'B', start_date: '2026-12-24', location: 'C' },
      ' → B、2026年12月24日 星期四 全天、C',
      ' → B, Thu 24 December 2026 All day, C',
    ],
    [
      'an end that this occurrence does not bear',
      { end_at: '2026-11-30T10:00:00+08:00' },
      ' → 2026年11月30日 星期一 10:00',
      ' → Sun 29 November 2026 21:00',
    ],
    ['the end of a repetition', { rrule: '' }, ' → 不再重复', ' → repeats no more'],
    ['nothing that is told', { notes: 'x', timezone: 'UTC' }, '', ''],
  ])('is told in the words and the zone of its reader: %s', (_what, input, zh, en) => {
    const change = { ...input, event_id: 'evt_1' };
    expect(changeText(change, event, ZH)).toBe(zh);
    expect(changeText(change, event, EN)).toBe(en);
    expect(zh + en).not.toMatch(RAW);
  });
});
