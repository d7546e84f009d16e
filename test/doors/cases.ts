import { CALENDAR_FILE_CASES } from './calendar-file-cases.js';
import { CONTACTS_CASES } from './contacts-cases.js';
import { call, type DoorCase } from './door-case.js';
import { MEMORY_CASES } from './memory-cases.js';
import { SCHEDULER_CASES } from './scheduler-cases.js';

const START = '2036-12-01T15:00:00+08:00';
const END = '2036-12-01T16:00:00+08:00';
const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJlLXNpZ25hdHVyZQ';
const deep = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

const GOOD: DoorCase[] = [
  { name: 'help.methods without input', call: call('help.methods'), expected: 'success' },
  {
    name: 'help.methods of a module',
    call: call('help.methods', { module: 'calendar' }),
    expected: 'success',
  },
  {
    name: 'help.describe',
    call: call('help.describe', { module: 'calendar', method: 'create' }),
    expected: 'success',
  },
  { name: 'help.search', call: call('help.search', { query: 'invitation' }), expected: 'success' },
  {
    name: 'help.search in Chinese',
    call: call('help.search', { query: '日程' }),
    expected: 'success',
  },
  { name: 'help.skills', call: call('help.skills'), expected: 'success' },
  { name: 'help.skill', call: call('help.skill', { name: 'calendar' }), expected: 'success' },
  {
    name: 'a question waits for its answer',
    call: call('interaction.ask', { question: '哪一天？', kind: 'text' }),
    expected: 'APPROVAL_REQUIRED',
    shows: '"kind":"question"',
  },
  {
    name: 'a choice without options',
    call: call('interaction.ask', { question: 'Which?', kind: 'choice' }),
    expected: 'INVALID_ACTION_INPUT',
  },
  {
    name: 'create',
    call: call('calendar.create', { title: '项目会', start_at: START, end_at: END }),
    expected: 'success',
  },
  {
    name: 'create by duration',
    call: call('calendar.create', { title: 'Short', start_at: START, duration_minutes: 30 }),
    expected: 'success',
  },
  {
    name: 'create all day',
    call: call('calendar.create', { title: 'Leave', all_day: true, start_date: '2036-12-24' }),
    expected: 'success',
  },
  {
    name: 'create with people',
    call: call('calendar.create', {
      title: 'Plan',
      start_at: START,
      end_at: END,
      attendees: ['Amy', '{{friend}}'],
    }),
    expected: 'success',
  },
  {
    name: 'create emoji, right-to-left, markup',
    call: call('calendar.create', { title: '🎉 مرحبا <b>x</b>', start_at: START, end_at: END }),
    expected: 'success',
  },
  {
    name: 'a title about tokens is no credential',
    call: call('calendar.create', {
      title: 'token review: password policy',
      start_at: START,
      end_at: END,
    }),
    expected: 'success',
  },
  {
    name: 'read a day',
    call: call('calendar.read', { mode: 'day', date: '2036-12-01' }),
    expected: 'success',
  },
  {
    name: 'read a range',
    call: call('calendar.read', {
      mode: 'range',
      start_at: START,
      end_at: '2036-12-31T00:00:00+08:00',
    }),
    expected: 'success',
  },
  {
    name: 'read an event',
    call: call('calendar.read', { mode: 'event', event_id: '{{own}}' }),
    expected: 'success',
  },
  {
    name: 'read a page',
    call: call('calendar.read', { mode: 'day', date: '2036-12-01', limit: 1 }),
    expected: 'success',
  },
  {
    name: 'update',
    call: call('calendar.update', { event_id: '{{own}}', location: 'Room 3' }),
    expected: 'success',
  },
  {
    name: 'share',
    call: call('calendar.share', {
      event_id: '{{own}}',
      with: [{ email: '{{friend}}', permission: 'view' }],
    }),
    expected: 'success',
  },
  {
    name: 'accept',
    call: call('calendar.accept_invite', { event_id: '{{invited}}' }),
    expected: 'success',
  },
  {
    name: 'reject what was accepted',
    call: call('calendar.reject_invite', { event_id: '{{invited}}' }),
    expected: 'success',
  },
];

const REPAIRED: DoorCase[] = [
  {
    name: 'input as JSON text',
    call: { module: 'calendar', method: 'read', input: '{"mode":"day","date":"2036-12-01"}' },
    expected: 'success',
  },
  {
    name: 'number as text',
    call: call('calendar.read', { mode: 'day', date: '2036-12-01', limit: '5' }),
    expected: 'success',
  },
  {
    name: 'boolean as text',
    call: call('calendar.read', { mode: 'day', date: '2036-12-01', include_invitations: 'true' }),
    expected: 'success',
  },
  {
    name: 'list as text',
    call: call('calendar.create', {
      title: 'T',
      start_at: START,
      end_at: END,
      attendees: '["Amy"]',
    }),
    expected: 'success',
  },
  {
    name: 'number where text is wanted',
    call: call('calendar.create', { title: 2026, start_at: START, end_at: END }),
    expected: 'success',
  },
  {
    name: 'a number that is not exact stays text',
    call: call('calendar.read', { mode: 'day', date: '2036-12-01', limit: '5.5' }),
    expected: 'INVALID_ACTION_INPUT',
  },
];

const PARTIAL: DoorCase[] = [
  {
    name: 'a batch one of which fails',
    call: call('calendar.create', {
      events: [
        { title: 'Good', start_at: START, end_at: END },
        { title: 'Ends before it starts', start_at: END, end_at: START },
      ],
    }),
    expected: 'partial',
  },
  {
    name: 'sharing with someone unknown too',
    call: call('calendar.share', {
      event_id: '{{own}}',
      with: ['{{friend}}', 'nobody@example.org'],
    }),
    expected: 'partial',
  },
];

const MALFORMED: DoorCase[] = [
  { name: 'no JSON', call: '{"module":"calendar",', expected: 'INVALID_TOOL_CALL' },
  { name: 'nothing', call: '', expected: 'INVALID_TOOL_CALL' },
  { name: 'a list', call: '[]', expected: 'INVALID_TOOL_CALL' },
  { name: 'null', call: 'null', expected: 'INVALID_TOOL_CALL' },
  { name: 'a number', call: '7', expected: 'INVALID_TOOL_CALL' },
  { name: 'no module', call: { method: 'read', input: {} }, expected: 'INVALID_TOOL_CALL' },
  { name: 'no method', call: { module: 'calendar', input: {} }, expected: 'INVALID_TOOL_CALL' },
  { name: 'empty module', call: { module: '', method: 'read' }, expected: 'INVALID_TOOL_CALL' },
  {
    name: 'module is a number',
    call: { module: 1, method: 'read' },
    expected: 'INVALID_TOOL_CALL',
  },
  {
    name: 'method is a list',
    call: { module: 'calendar', method: ['read'] },
    expected: 'INVALID_TOOL_CALL',
  },
  { name: 'input is a list', call: call('calendar.read', []), expected: 'INVALID_TOOL_CALL' },
  { name: 'input is null', call: call('calendar.read', null), expected: 'INVALID_TOOL_CALL' },
  { name: 'input is a number', call: call('calendar.read', 5), expected: 'INVALID_TOOL_CALL' },
  {
    name: 'input is text that is no JSON',
    call: call('calendar.read', 'tomorrow'),
    expected: 'INVALID_TOOL_CALL',
  },
  {
    name: 'the older form',
    call: { command: 'calendar', subcommand: 'read', args: {} },
    expected: 'INVALID_TOOL_CALL',
  },
  {
    name: 'a key beside the three',
    call: { module: 'help', method: 'methods', input: {}, mode: 'x' },
    expected: 'INVALID_TOOL_CALL',
  },
  {
    name: 'a very long module',
    call: { module: 'm'.repeat(5000), method: 'read' },
    expected: 'INVALID_TOOL_CALL',
  },
  {
    name: 'a newline in the method',
    call: { module: 'calendar', method: 'read\n--input' },
    expected: 'INVALID_TOOL_CALL',
  },
  {
    name: 'NUL in the module',
    call: { module: 'calendar\u0000', method: 'read' },
    expected: 'INVALID_TOOL_CALL',
  },
];

const INVALID: DoorCase[] = [
  { name: 'missing mode', call: call('calendar.read', {}), expected: 'INVALID_ACTION_INPUT' },
  {
    name: 'unknown mode',
    call: call('calendar.read', { mode: 'week' }),
    expected: 'INVALID_ACTION_INPUT',
  },
  {
    name: 'unknown key',
    call: call('calendar.read', { mode: 'day', dat: '2036-12-01' }),
    expected: 'INVALID_ACTION_INPUT',
  },
  {
    name: 'naive date-time',
    call: call('calendar.create', { title: 'T', start_at: '2036-12-01T15:00:00', end_at: END }),
    expected: 'INVALID_ACTION_INPUT',
  },
  {
    name: 'no such date',
    call: call('calendar.read', { mode: 'day', date: '2026-02-30' }),
    expected: 'INVALID_ACTION_INPUT',
  },
  {
    name: 'end before start',
    call: call('calendar.create', { title: 'T', start_at: END, end_at: START }),
    expected: 'INVALID_ACTION_INPUT',
  },
  {
    name: 'unknown zone',
    call: call('calendar.create', {
      title: 'T',
      start_at: START,
      end_at: END,
      timezone: 'Mars/Base',
    }),
    expected: 'INVALID_ACTION_INPUT',
  },
  {
    name: 'blank title',
    call: call('calendar.create', { title: '  ', start_at: START, end_at: END }),
    expected: 'INVALID_ACTION_INPUT',
  },
  {
    name: 'a title of 10,000 characters',
    call: call('calendar.create', { title: 'x'.repeat(10_000), start_at: START, end_at: END }),
    expected: 'INVALID_ACTION_INPUT',
  },
  {
    name: 'NUL in the title',
    call: call('calendar.create', { title: 'a\u0000b', start_at: START, end_at: END }),
    expected: 'INVALID_ACTION_INPUT',
  },
  {
    name: 'limit of 0',
    call: call('calendar.read', { mode: 'day', date: '2036-12-01', limit: 0 }),
    expected: 'INVALID_ACTION_INPUT',
  },
  {
    name: 'a made-up cursor',
    call: call('calendar.read', { mode: 'day', date: '2036-12-01', cursor: 'zzz' }),
    expected: 'INVALID_ACTION_INPUT',
  },
  {
    name: 'null where nothing is meant',
    call: call('calendar.update', { event_id: '{{own}}', title: null }),
    expected: 'INVALID_ACTION_INPUT',
  },
];

const REFUSED: DoorCase[] = [
  {
    name: 'unknown event',
    call: call('calendar.read', { mode: 'event', event_id: 'evt_none' }),
    expected: 'NOT_FOUND',
  },
  {
    name: "a stranger's event",
    call: call('calendar.read', { mode: 'event', event_id: '{{foreign}}' }),
    expected: 'NOT_FOUND',
  },
  {
    name: "deleting a stranger's event",
    call: call('calendar.delete', { event_id: '{{foreign}}' }),
    expected: 'NOT_FOUND',
  },
  {
    name: "changing a stranger's event",
    call: call('calendar.update', { event_id: '{{foreign}}', title: 'Mine' }),
    expected: 'NOT_FOUND',
  },
  {
    name: "accepting a stranger's event",
    call: call('calendar.accept_invite', { event_id: '{{foreign}}' }),
    expected: 'NOT_FOUND',
  },
  {
    name: 'changing what one may only view',
    call: call('calendar.update', { event_id: '{{viewable}}', title: 'Mine' }),
    expected: 'FORBIDDEN',
  },
  {
    name: 'an outdated version',
    call: call('calendar.update', { event_id: '{{own}}', title: 'Late', expected_version: 1 }),
    expected: 'CONFLICT',
  },
  {
    name: 'sharing with nobody known',
    call: call('calendar.share', { event_id: '{{own}}', with: ['nobody@example.org'] }),
    expected: 'NOT_FOUND',
  },
  {
    name: 'not allowed to the profile',
    call: call('calendar.create', { title: 'T', start_at: START, end_at: END }),
    expected: 'METHOD_NOT_ALLOWED',
    as: 'readonly-profile',
  },
  {
    name: 'denied before the input is looked at',
    call: call('calendar.delete', { nonsense: 1 }),
    expected: 'METHOD_NOT_ALLOWED',
    as: 'readonly-profile',
  },
  {
    name: 'outside the scope',
    call: call('calendar.delete', { event_id: '{{own}}' }),
    expected: 'SCOPE_EXCEEDED',
    as: 'narrow-scope',
  },
  {
    name: 'inside the scope',
    call: call('calendar.read', { mode: 'day', date: '2036-12-01' }),
    expected: 'success',
    as: 'narrow-scope',
  },
];

const UNKNOWN: DoorCase[] = [
  { name: 'unknown module', call: call('weather.read', {}), expected: 'MODULE_NOT_FOUND' },
  {
    name: 'misspelt module',
    call: call('calender.read', {}),
    expected: 'MODULE_NOT_FOUND',
    shows: '"did_you_mean":"calendar"',
  },
  { name: 'wrong case', call: call('Calendar.read', {}), expected: 'MODULE_NOT_FOUND' },
  { name: 'unknown method', call: call('calendar.destroy', {}), expected: 'METHOD_NOT_FOUND' },
  {
    name: 'misspelt method',
    call: call('calendar.creat', {}),
    expected: 'METHOD_NOT_FOUND',
    shows: '"did_you_mean":"calendar.create"',
  },
  {
    name: 'misspelt key of the call',
    call: { modul: 'calendar', method: 'read' },
    expected: 'INVALID_TOOL_CALL',
    shows: 'did you mean \\"module\\"?',
  },
  {
    name: 'misspelt key of the input',
    call: call('calendar.create', { titel: 'T', start_at: START, end_at: END }),
    expected: 'INVALID_ACTION_INPUT',
    shows: 'Did you mean \\"title\\"?',
  },
  {
    name: 'misspelt key in a list of the input',
    call: call('calendar.create', {
      events: [{ title: 'T', start_at: START, end_at: END, locaton: 'L' }],
    }),
    expected: 'INVALID_ACTION_INPUT',
    shows: 'Did you mean \\"location\\"?',
  },
];

const HOSTILE: DoorCase[] = [
  {
    name: '__proto__ as module',
    call: '{"module":"__proto__","method":"read","input":{}}',
    expected: 'MODULE_NOT_FOUND',
  },
  {
    name: 'constructor as module',
    call: { module: 'constructor', method: 'name' },
    expected: 'MODULE_NOT_FOUND',
  },
  {
    name: 'toString as method',
    call: { module: 'calendar', method: 'toString' },
    expected: 'METHOD_NOT_FOUND',
  },
  {
    name: '__proto__ as method',
    call: { module: 'calendar', method: '__proto__' },
    expected: 'METHOD_NOT_FOUND',
  },
  {
    name: '__proto__ in the input',
    call: '{"module":"help","method":"methods","input":{"__proto__":{"module":"x"}}}',
    expected: 'INVALID_ACTION_INPUT',
  },
  {
    name: 'a flag as module',
    call: { module: '--input', method: 'read' },
    expected: 'MODULE_NOT_FOUND',
  },
  {
    name: 'a flag as method',
    call: { module: 'help', method: '-h' },
    expected: 'METHOD_NOT_FOUND',
  },
  {
    name: 'a path as module',
    call: { module: '../../etc/passwd', method: 'read' },
    expected: 'MODULE_NOT_FOUND',
  },
  {
    name: 'shell in the method',
    call: { module: 'help', method: '$(reboot)' },
    expected: 'METHOD_NOT_FOUND',
  },
  {
    name: 'SQL as event id',
    call: call('calendar.read', { mode: 'event', event_id: "' OR 1=1 --" }),
    expected: 'NOT_FOUND',
  },
  {
    name: 'a token among the keys',
    call: call('calendar.read', { mode: 'day', date: '2036-12-01', token: 'abc' }),
    expected: 'CREDENTIAL_IN_INPUT',
  },
  {
    name: 'an owner among the keys',
    call: call('calendar.read', { mode: 'day', date: '2036-12-01', owner_id: 'usr_1' }),
    expected: 'CREDENTIAL_IN_INPUT',
  },
  {
    name: 'a JWT in the notes',
    call: call('calendar.create', {
      title: 'T',
      start_at: START,
      end_at: END,
      notes: `use ${JWT} please`,
    }),
    expected: 'CREDENTIAL_IN_INPUT',
  },
  {
    name: 'a bearer header in the title',
    call: call('calendar.create', {
      title: 'Bearer abcdefghijklmnopqrstuvwxyz',
      start_at: START,
      end_at: END,
    }),
    expected: 'CREDENTIAL_IN_INPUT',
  },
  {
    name: 'a very deep input',
    call: `{"module":"help","method":"methods","input":${deep(5000)}}`,
    expected: 'INVALID_ACTION_INPUT',
  },
  {
    name: 'a very large input',
    call: call('calendar.create', {
      title: 'T',
      start_at: START,
      end_at: END,
      notes: 'x'.repeat(400_000),
    }),
    expected: 'INVALID_ACTION_INPUT',
  },
];

const CREDENTIALS: DoorCase[] = [
  {
    name: 'an expired credential',
    call: call('help.methods'),
    expected: 'CREDENTIAL_EXPIRED',
    as: 'expired',
  },
  {
    name: 'a revoked credential',
    call: call('help.methods'),
    expected: 'CREDENTIAL_REVOKED',
    as: 'revoked',
  },
  {
    name: 'a garbage credential',
    call: call('help.methods'),
    expected: 'CREDENTIAL_INVALID',
    as: 'garbage',
  },
  {
    name: "a person's bearer token",
    call: call('help.methods'),
    expected: 'CREDENTIAL_INVALID',
    as: 'bearer',
  },
  { name: 'no credential', call: call('help.methods'), expected: 'CREDENTIAL_MISSING', as: 'none' },
  {
    name: 'no credential and no such module',
    call: call('weather.read'),
    expected: 'CREDENTIAL_MISSING',
    as: 'none',
  },
];

/** In this order: a later case may rely on what an earlier one did. */
export const DOOR_CASES: DoorCase[] = [
  ...GOOD,
  ...REPAIRED,
  ...PARTIAL,
  ...MALFORMED,
  ...INVALID,
  ...REFUSED,
  ...UNKNOWN,
  ...HOSTILE,
  ...CREDENTIALS,
  ...CALENDAR_FILE_CASES,
  ...CONTACTS_CASES,
  ...MEMORY_CASES,
  ...SCHEDULER_CASES,
  { name: 'delete', call: call('calendar.delete', { event_id: '{{own}}' }), expected: 'success' },
  {
    name: 'deleting it again',
    call: call('calendar.delete', { event_id: '{{own}}' }),
    expected: 'NOT_FOUND',
  },
];
