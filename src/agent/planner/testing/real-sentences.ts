import type { JsonObject } from '../../../common/json.js';

/** A sentence and the call it is to lead to, in the end of its turn; `input` is part of the call's. */
export interface RealSentence {
  /** What was said before it, if it follows up on something. */
  after?: string[];
  said: string;
  call: string;
  input: JsonObject;
}

const MEETING = '明天下午三点和 Amy 开项目会，一个小时';
const CALL = 'schedule a call with Sam tomorrow at 3pm';
const at = (time: string): string => `2026-03-${time}:00+08:00`;
const alone = (said: string, call: string, input: JsonObject): RealSentence => ({
  said,
  call,
  input,
});
const follows = (before: string, said: string, call: string, input: JsonObject): RealSentence => ({
  after: [before],
  said,
  call,
  input,
});

/** Sixty sentences of both languages; now is `NOW` of talk.ts, `evt_new` what the turn before made. */
export const REAL_SENTENCES: readonly RealSentence[] = [
  alone(MEETING, 'calendar.create', { title: '项目会', start_at: at('05T15:00') }),
  alone(CALL, 'calendar.create', { start_at: at('05T15:00'), attendees: [{ name: 'Sam' }] }),
  alone('每周一上午九点站会', 'calendar.create', {
    title: '站会',
    rrule: 'FREQ=WEEKLY;BYDAY=MO',
    start_at: at('09T09:00'),
  }),
  alone('每个工作日上午九点半开晨会', 'calendar.create', {
    title: '晨会',
    rrule: 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR',
    start_at: at('05T09:30'),
  }),
  alone('每天晚上八点跑步', 'calendar.create', { rrule: 'FREQ=DAILY', start_at: at('04T20:00') }),
  alone('team sync every Monday at 10am', 'calendar.create', {
    title: 'Team sync',
    rrule: 'FREQ=WEEKLY;BYDAY=MO',
    start_at: at('09T10:00'),
  }),
  alone('schedule a retro every other Friday at 4pm', 'calendar.create', {
    rrule: 'FREQ=WEEKLY;INTERVAL=2;BYDAY=FR',
    start_at: at('06T16:00'),
  }),
  alone('明天九点开评审会，提前10分钟提醒我', 'calendar.create', {
    title: '评审会',
    reminders: [10],
  }),
  alone('dentist on Friday at 9am, remind me 30 minutes before', 'calendar.create', {
    title: 'Dentist',
    reminders: [30],
  }),
  alone('我明天有什么安排', 'calendar.read', { mode: 'day', date: '2026-03-05' }),
  alone("what's on my calendar on Friday?", 'calendar.read', { mode: 'day', date: '2026-03-06' }),
  alone('季度总结会是什么时候', 'calendar.read', { query: '季度总结' }),
  alone('取消季度总结会', 'calendar.delete', { event_id: 'evt_1' }),
  alone('move the dentist to 11', 'calendar.update', {
    event_id: 'evt_2',
    start_at: at('06T11:00'),
  }),
  alone('把季度总结会移到10', 'calendar.update', { event_id: 'evt_1', start_at: at('06T10:00') }),
  alone('把季度总结会分享给 bob@example.com', 'calendar.share', { event_id: 'evt_1' }),
  alone('am I free on Thursday?', 'calendar.read', { mode: 'day', date: '2026-03-05' }),
  alone('amy@example.com 明天下午有空吗', 'calendar.free_busy', {
    people: ['amy@example.com'],
    start_at: at('05T12:00'),
  }),
  alone('is Amy free tomorrow?', 'calendar.free_busy', {
    people: ['amy@example.com'],
    start_at: at('05T00:00'),
    end_at: at('06T00:00'),
  }),
  alone('find a 30 minute slot with bob@example.com', 'calendar.find_slot', {
    participants: ['bob@example.com'],
    duration_minutes: 30,
  }),
  alone('Amy 的电话是多少', 'contacts.read', { mode: 'resolve', query: 'Amy' }),
  alone("what is Amy's phone number?", 'contacts.read', { mode: 'resolve', query: 'Amy' }),
  alone('查一下王总的邮箱', 'contacts.read', { mode: 'resolve', query: '王总' }),
  alone('我的通讯录里有哪些人', 'contacts.read', { mode: 'list' }),
  alone('show my contacts', 'contacts.read', { mode: 'list' }),
  alone('把王总加到通讯录，电话 13800138000', 'contacts.create', {
    name: '王总',
    phones: ['13800138000'],
  }),
  alone('add Bob Lee to my contacts, email bob@example.com', 'contacts.create', {
    name: 'Bob Lee',
    emails: ['bob@example.com'],
  }),
  alone('把 Amy 的电话改成 13900139000', 'contacts.update', {
    contact_id: 'con_1',
    phones: ['13900139000'],
  }),
  alone("change Amy's email to amy@new.example", 'contacts.update', {
    contact_id: 'con_1',
    emails: ['amy@new.example'],
  }),
  alone('把 Amy 从通讯录删除', 'contacts.delete', { contact_id: 'con_1' }),
  alone('delete Amy from my contacts', 'contacts.delete', { contact_id: 'con_1' }),
  alone('记住我喜欢靠窗的座位', 'memory.update', { text: '我喜欢靠窗的座位', source: 'user_said' }),
  alone('remember that I like tea', 'memory.update', { text: 'I like tea' }),
  alone('你记得我什么', 'memory.read', { mode: 'list' }),
  alone('what do you remember about me?', 'memory.read', { mode: 'list' }),
  alone('forget my seat preference', 'memory.forget', { query: 'seat preference' }),
  alone('忘掉我喜欢靠窗的座位', 'memory.forget', { query: '喜欢靠窗的座位' }),
  alone('你还记得我的座位偏好吗', 'memory.read', { mode: 'search', query: '座位偏好' }),
  follows(MEETING, '改到四点', 'calendar.update', {
    event_id: 'evt_new',
    start_at: at('05T16:00'),
  }),
  follows(MEETING, '取消它', 'calendar.delete', { event_id: 'evt_new' }),
  follows(MEETING, '还有李雷', 'calendar.update', {
    attendees: [{ name: 'Amy' }, { name: '李雷' }],
  }),
  follows(MEETING, '再叫上李雷和韩梅梅', 'calendar.update', {
    attendees: [{ name: 'Amy' }, { name: '李雷' }, { name: '韩梅梅' }],
  }),
  follows(MEETING, '推迟半小时', 'calendar.update', { start_at: at('05T15:30') }),
  follows(MEETING, '延长半小时', 'calendar.update', { end_at: at('05T16:30') }),
  follows(MEETING, '改到周五', 'calendar.update', { start_at: at('06T15:00') }),
  follows(MEETING, '地点改到三号会议室', 'calendar.update', { location: '三号会议室' }),
  follows(MEETING, '改名为启动会', 'calendar.update', { title: '启动会' }),
  follows(MEETING, '分享给 bob@example.com', 'calendar.share', { event_id: 'evt_new' }),
  follows('今天有会吗', '明天呢', 'calendar.read', { mode: 'day', date: '2026-03-05' }),
  follows('和 Amy 明天开会', '下午三点', 'calendar.create', { start_at: at('05T15:00') }),
  follows(CALL, 'cancel it', 'calendar.delete', { event_id: 'evt_new' }),
  follows(CALL, 'and invite Bob', 'calendar.update', {
    attendees: [{ name: 'Sam' }, { name: 'Bob' }],
  }),
  follows(CALL, 'and Bob', 'calendar.update', { attendees: [{ name: 'Sam' }, { name: 'Bob' }] }),
  follows(CALL, 'move it to 4pm', 'calendar.update', { start_at: at('05T16:00') }),
  follows(CALL, 'make it two hours', 'calendar.update', { end_at: at('05T17:00') }),
  follows(CALL, 'push it back by 15 minutes', 'calendar.update', { start_at: at('05T15:15') }),
  follows(CALL, 'rename it to Kickoff', 'calendar.update', { title: 'Kickoff' }),
  follows(CALL, 'share it with bob@example.com', 'calendar.share', { event_id: 'evt_new' }),
  {
    after: [CALL, 'cancel the meeting'],
    said: 'yes',
    call: 'calendar.delete',
    input: { event_id: 'evt_new' },
  },
  {
    after: ['forget my seat preference'],
    said: 'yes',
    call: 'memory.forget',
    input: { confirm: 'ok' },
  },
];
