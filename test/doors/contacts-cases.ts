import { call, type DoorCase } from './door-case.js';

const many = (count: number): string[] => Array.from({ length: count }, (_, i) => `alias ${i}`);
const CARD =
  'BEGIN:VCARD\r\nVERSION:4.0\r\nUID:door@example.com\r\nFN:Card Person\r\nEND:VCARD\r\n';
const BROKEN_CARD = 'BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Half a card\r\n';

/** The address book; the stage has `{{amy}}`, two of the name Wang, and `{{foreign_contact}}`. */
export const CONTACTS_CASES: DoorCase[] = [
  { name: 'contacts: list', call: call('contacts.read', { mode: 'list' }), expected: 'success' },
  {
    name: 'contacts: a page',
    call: call('contacts.read', { mode: 'list', limit: 1 }),
    expected: 'success',
    shows: '"nextCursor"',
  },
  {
    name: 'contacts: search in Chinese',
    call: call('contacts.read', { mode: 'search', query: '小明' }),
    expected: 'success',
    shows: '王小明',
  },
  {
    name: 'contacts: resolve a nickname',
    call: call('contacts.read', { mode: 'resolve', query: 'amy' }),
    expected: 'success',
    shows: '"ambiguous":false',
  },
  {
    name: 'contacts: resolve two that fit',
    call: call('contacts.read', { mode: 'resolve', query: '王总' }),
    expected: 'success',
    shows: '"ambiguous":true',
  },
  {
    name: 'contacts: resolve nobody',
    call: call('contacts.read', { mode: 'resolve', query: 'Zoltan' }),
    expected: 'success',
    shows: '"count":0',
  },
  {
    name: 'contacts: one',
    call: call('contacts.read', { mode: 'contact', contact_id: '{{amy}}' }),
    expected: 'success',
  },
  {
    name: 'contacts: duplicates',
    call: call('contacts.read', { mode: 'duplicates' }),
    expected: 'success',
  },
  {
    name: 'contacts: create',
    call: call('contacts.create', {
      name: 'Bob Li',
      emails: ['bob@example.org'],
      phones: [{ value: '138 0013 8000', label: 'cell' }],
      birthday: '--04-15',
    }),
    expected: 'success',
  },
  {
    name: 'contacts: create one who is there already',
    call: call('contacts.create', { name: 'Bob', emails: ['bob@example.org'] }),
    expected: 'success',
    shows: '"possibleDuplicates"',
  },
  {
    name: 'contacts: lists as text, a number as name',
    call: call('contacts.create', { name: 42, phones: '["+86 10 8888 8888"]' }),
    expected: 'success',
  },
  {
    name: 'contacts: limit as text',
    call: call('contacts.read', { mode: 'list', limit: '2' }),
    expected: 'success',
  },
  {
    name: 'contacts: update',
    call: call('contacts.update', { contact_id: '{{amy}}', add: { aliases: ['阿美'] } }),
    expected: 'success',
  },
  {
    name: 'contacts: export one',
    call: call('contacts.export', { contact_ids: ['{{amy}}'], version: '3.0' }),
    expected: 'success',
    shows: 'BEGIN:VCARD',
  },
  { name: 'contacts: import', call: call('contacts.import', { vcard: CARD }), expected: 'success' },
  {
    name: 'contacts: import it again',
    call: call('contacts.import', { vcard: CARD }),
    expected: 'success',
    shows: '"unchanged":1',
  },
  {
    name: 'contacts: merge',
    call: call('contacts.merge', { contact_id: '{{wang}}', other_ids: ['{{other_wang}}'] }),
    expected: 'success',
  },
  {
    name: 'contacts: the merged one is gone',
    call: call('contacts.read', { mode: 'contact', contact_id: '{{other_wang}}' }),
    expected: 'NOT_FOUND',
  },
  { name: 'contacts: no mode', call: call('contacts.read', {}), expected: 'INVALID_ACTION_INPUT' },
  {
    name: 'contacts: search without a query',
    call: call('contacts.read', { mode: 'search' }),
    expected: 'INVALID_ACTION_INPUT',
  },
  {
    name: 'contacts: nothing to call them by',
    call: call('contacts.create', { notes: 'x' }),
    expected: 'INVALID_ACTION_INPUT',
  },
  {
    name: 'contacts: no such birthday',
    call: call('contacts.create', { name: 'A', birthday: '2026-02-30' }),
    expected: 'INVALID_ACTION_INPUT',
  },
  {
    name: 'contacts: a misspelt key',
    call: call('contacts.create', { name: 'A', e_mails: ['a@example.org'] }),
    expected: 'INVALID_ACTION_INPUT',
  },
  {
    name: 'contacts: merging one with itself',
    call: call('contacts.merge', { contact_id: '{{amy}}', other_ids: ['{{amy}}'] }),
    expected: 'INVALID_ACTION_INPUT',
  },
  {
    name: 'contacts: half a card',
    call: call('contacts.import', { vcard: BROKEN_CARD }),
    expected: 'INVALID_ACTION_INPUT',
  },
  {
    name: 'contacts: an unknown one',
    call: call('contacts.update', { contact_id: 'con_none', notes: 'x' }),
    expected: 'NOT_FOUND',
  },
  {
    name: "contacts: a stranger's",
    call: call('contacts.read', { mode: 'contact', contact_id: '{{foreign_contact}}' }),
    expected: 'NOT_FOUND',
  },
  {
    name: "contacts: exporting a stranger's",
    call: call('contacts.export', { contact_ids: ['{{amy}}', '{{foreign_contact}}'] }),
    expected: 'NOT_FOUND',
  },
  {
    name: 'contacts: an outdated version',
    call: call('contacts.update', { contact_id: '{{amy}}', notes: 'late', expected_version: 1 }),
    expected: 'CONFLICT',
  },
  {
    name: 'contacts: fifty aliases',
    call: call('contacts.update', { contact_id: '{{amy}}', aliases: many(50) }),
    expected: 'success',
  },
  {
    name: 'contacts: one alias too many',
    call: call('contacts.update', { contact_id: '{{amy}}', add: { aliases: ['one more'] } }),
    expected: 'LIMIT_EXCEEDED',
  },
  {
    name: 'contacts: more aliases than any contact has',
    call: call('contacts.create', { name: 'A', aliases: many(51) }),
    expected: 'INVALID_ACTION_INPUT',
  },
  {
    name: 'contacts: delete',
    call: call('contacts.delete', { contact_id: '{{amy}}' }),
    expected: 'success',
  },
  {
    name: 'contacts: deleting it again',
    call: call('contacts.delete', { contact_id: '{{amy}}' }),
    expected: 'NOT_FOUND',
  },
];
