import type { JsonObject } from '../../src/common/json.js';

/** What a method returned, and what was asked; the cards of all of them are looked at. */
export interface CardCase {
  /** Unique; also the name of its stored hints. */
  name: string;
  /** Capability id. */
  id: string;
  data: JsonObject;
  input: JsonObject;
}

const EVENT_ID = 'evt_01KAA000000000000000000001';
const OTHER_ID = 'evt_01KAA000000000000000000002';
const AMY_ID = 'con_01KAA000000000000000000001';
const BOB_ID = 'con_01KAA000000000000000000002';
const FACT_ID = 'mem_01KAA000000000000000000001';

/** An event as `calendar.read` shows it. */
export const event = (over: JsonObject = {}): JsonObject => ({
  id: EVENT_ID,
  title: 'Project review 项目评审',
  allDay: false,
  startAt: '2026-04-21T15:00:00+08:00',
  endAt: '2026-04-21T16:00:00+08:00',
  timezone: 'Asia/Shanghai',
  location: 'Room 3',
  notes: 'Bring the figures.',
  organizer: { name: 'Olga', email: 'olga@example.com' },
  attendees: [
    { name: 'Amy', email: 'amy@example.com', status: 'accepted', permission: 'view' },
    { email: 'bo@example.com', status: 'pending', permission: 'edit' },
  ],
  recurrence: { rrule: 'FREQ=WEEKLY;BYDAY=TU', rdates: [], exdates: [] },
  reminders: [{ minutesBefore: 10, method: 'popup' }],
  role: 'owner',
  myStatus: 'owner',
  version: 3,
  createdAt: '2026-04-01T00:00:00Z',
  updatedAt: '2026-04-02T00:00:00Z',
  ...over,
});

const holiday = event({
  id: OTHER_ID,
  title: 'Holiday 假期',
  allDay: true,
  startAt: undefined,
  endAt: undefined,
  startDate: '2026-04-22',
  endDate: '2026-04-23',
});

/** A contact as `contacts.read` shows it. */
export const contact = (over: JsonObject = {}): JsonObject => ({
  id: AMY_ID,
  name: 'Amy Chen',
  title: 'Engineer',
  organization: 'Acme',
  aliases: ['小艾'],
  emails: [{ value: 'amy@example.com', label: 'work' }],
  phones: [{ value: '138 0013 8000', e164: '+8613800138000', label: 'cell' }],
  addresses: [{ street: '示例路 1 号', city: '上海', label: 'home' }],
  urls: [],
  groups: ['vip'],
  birthday: '1990-04-15',
  notes: 'Likes tea.',
  user: { id: 'usr_01KAA000000000000000000009', email: 'amy@example.com', name: 'Amy' },
  ...over,
});

const bob = contact({
  id: BOB_ID,
  name: 'Amy Wang 王艾米',
  organization: 'Globex',
  emails: [],
  user: undefined,
});

const change = (over: JsonObject = {}): JsonObject => ({
  index: 0,
  operation: 'set',
  status: 'updated',
  key: 'preference.drink',
  fact: {
    id: FACT_ID,
    key: 'preference.drink',
    text: 'Tea 喜欢茶',
    source: 'user_said',
    expiresAt: '2026-05-01T00:00:00Z',
  },
  before: ['Coffee 喜欢咖啡'],
  ...over,
});

const RANGE = { from: '2026-04-20', to: '2026-04-26' };

/** At least one case of every method that has cards; a method without one fails the tests. */
export const CARD_CASES: CardCase[] = [
  {
    name: 'calendar.read.agenda',
    id: 'calendar.read',
    input: {
      mode: 'range',
      start_at: '2026-04-20T00:00:00+08:00',
      end_at: '2026-04-27T00:00:00+08:00',
      limit: 3,
    },
    data: {
      items: [
        event(),
        event({ id: OTHER_ID, title: 'Lunch 午餐', myStatus: 'pending', role: 'viewer' }),
        holiday,
      ],
      count: 3,
      range: RANGE,
      timezone: 'Asia/Shanghai',
      nextCursor: 'WzE3NzY4MTYwMDAwMDAsImV2dCJd',
    },
  },
  {
    name: 'calendar.read.invitation',
    id: 'calendar.read',
    input: { mode: 'event', event_id: EVENT_ID },
    data: { items: [event({ myStatus: 'pending', role: 'viewer' })], count: 1 },
  },
  {
    name: 'calendar.read.empty',
    id: 'calendar.read',
    input: { mode: 'day', date: '2026-04-21' },
    data: {
      items: [],
      count: 0,
      range: { from: '2026-04-21', to: '2026-04-21' },
      timezone: 'Asia/Shanghai',
    },
  },
  {
    name: 'calendar.create.one',
    id: 'calendar.create',
    input: {},
    data: event({ conflicts: [holiday] }),
  },
  {
    name: 'calendar.create.batch',
    id: 'calendar.create',
    input: {},
    data: {
      items: [
        { ...event(), index: 0, status: 'success' },
        {
          index: 1,
          status: 'failure',
          title: 'Bad 坏',
          error: { code: 'INVALID_ACTION_INPUT', message: 'end_at: must be after start_at.' },
        },
      ],
      count: 1,
      failed: 1,
    },
  },
  {
    name: 'calendar.update.moved',
    id: 'calendar.update',
    input: {},
    data: event({
      startAt: '2026-04-21T16:00:00+08:00',
      endAt: '2026-04-21T17:00:00+08:00',
      changes: [
        {
          field: 'startAt',
          before: '2026-04-21T15:00:00+08:00',
          after: '2026-04-21T16:00:00+08:00',
        },
        { field: 'endAt', before: '2026-04-21T16:00:00+08:00', after: '2026-04-21T17:00:00+08:00' },
        { field: 'location', after: 'Room 3' },
        { field: 'rrule', before: 'FREQ=DAILY', after: 'FREQ=WEEKLY;BYDAY=TU' },
      ],
      askedAgain: ['Amy'],
    }),
  },
  { name: 'calendar.delete', id: 'calendar.delete', input: {}, data: event({ deleted: true }) },
  {
    name: 'calendar.share',
    id: 'calendar.share',
    input: {},
    data: event({
      targets: [
        { email: 'amy@example.com', name: 'Amy', status: 'invited', permission: 'edit' },
        {
          email: 'no@example.com',
          status: 'failed',
          error: { code: 'NOT_FOUND', message: 'No user has this address.' },
        },
      ],
      count: 1,
      failed: 1,
    }),
  },
  {
    name: 'calendar.accept_invite',
    id: 'calendar.accept_invite',
    input: { event_id: EVENT_ID },
    data: event({ status: 'accepted', myStatus: 'accepted', role: 'viewer' }),
  },
  {
    name: 'calendar.reject_invite',
    id: 'calendar.reject_invite',
    input: { event_id: EVENT_ID },
    data: event({ status: 'rejected', myStatus: 'rejected', role: 'viewer' }),
  },
  {
    name: 'contacts.read.list',
    id: 'contacts.read',
    input: { mode: 'search', query: 'amy' },
    data: { items: [contact(), bob], count: 2, nextCursor: 'WyJhIiwiYiJd' },
  },
  {
    name: 'contacts.read.contact',
    id: 'contacts.read',
    input: { mode: 'contact', contact_id: AMY_ID },
    data: { items: [contact()], count: 1 },
  },
  {
    name: 'contacts.read.candidates',
    id: 'contacts.read',
    input: { mode: 'resolve', query: 'Amy' },
    data: { items: [], count: 0, ambiguous: true, candidates: [contact(), bob] },
  },
  {
    name: 'contacts.read.duplicates',
    id: 'contacts.read',
    input: { mode: 'duplicates' },
    data: { groups: [{ contacts: [contact(), bob], reasons: ['email', 'name'] }], count: 1 },
  },
  {
    name: 'memory.update.one',
    id: 'memory.update',
    input: {},
    data: { items: [change()], count: 1, failed: 0 },
  },
  {
    name: 'memory.update.batch',
    id: 'memory.update',
    input: {},
    data: {
      items: [
        change(),
        change({ operation: 'remove', status: 'removed', fact: undefined }),
        change({
          status: 'failure',
          fact: undefined,
          before: [],
          error: { code: 'NOT_FOUND', message: 'Nothing like that is remembered.' },
        }),
      ],
      count: 2,
      failed: 1,
    },
  },
  {
    name: 'memory.forget.question',
    id: 'memory.forget',
    input: { query: 'drink' },
    data: {
      forgotten: false,
      items: [
        { id: FACT_ID, key: 'preference.drink', text: 'Tea 喜欢茶' },
        { id: 'mem_01KAA000000000000000000002', text: 'Drinks at six 六点喝' },
      ],
      count: 2,
      confirm: 'c0ffee',
    },
  },
];
