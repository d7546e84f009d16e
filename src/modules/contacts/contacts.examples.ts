import type { CapabilityExample } from '../../tool-router/public.js';

const CONTACT_ID = 'con_01JE4Z8K3V0W7R5T9Q2M6N8P1X';
const OTHER_ID = 'con_01JE4Z8K3V0W7R5T9Q2M6N8P1Y';

/** Calls that `help.describe` shows; a test runs each against the real methods. */
export const READ: CapabilityExample[] = [
  { title: 'Who is meant by a name', input: { mode: 'resolve', query: '王总' } },
  { title: 'Everybody with a word in them', input: { mode: 'search', query: 'acme', limit: 20 } },
  { title: 'A group', input: { mode: 'list', group: 'family' } },
  { title: 'Everything about one', input: { mode: 'contact', contact_id: CONTACT_ID } },
  { title: 'Contacts that may be the same person', input: { mode: 'duplicates' } },
];

export const CREATE: CapabilityExample[] = [
  {
    title: 'A colleague',
    input: {
      name: 'Amy Chen',
      emails: ['amy@example.com'],
      phones: [{ value: '138 0013 8000', label: 'cell' }],
      organization: 'Acme',
      title: 'Engineer',
      groups: ['colleagues'],
    },
  },
  {
    title: 'Somebody with a nickname and a birthday',
    input: { name: '王小明', aliases: ['老王'], birthday: '--04-15', notes: '喜欢喝茶' },
  },
];

export const UPDATE: CapabilityExample[] = [
  {
    title: 'One more number, one email less',
    input: {
      contact_id: CONTACT_ID,
      add: { phones: [{ value: '+1 415 555 2671', label: 'work' }] },
      remove: { emails: ['amy@example.com'] },
    },
  },
  {
    title: 'A new job, unless somebody changed the contact meanwhile',
    input: { contact_id: CONTACT_ID, title: '总经理', expected_version: 1 },
  },
];

export const DELETE: CapabilityExample[] = [
  { title: 'Delete a contact', input: { contact_id: CONTACT_ID } },
];

export const MERGE: CapabilityExample[] = [
  {
    title: 'Two entries of one person',
    input: { contact_id: CONTACT_ID, other_ids: [OTHER_ID] },
  },
];

export const IMPORT: CapabilityExample[] = [
  {
    title: 'One card',
    input: {
      vcard:
        'BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Amy Chen\r\nTEL;TYPE=CELL:+86 138 0013 8000\r\nEND:VCARD\r\n',
    },
  },
];

export const EXPORT: CapabilityExample[] = [
  { title: 'One contact for an older phone', input: { contact_ids: [CONTACT_ID], version: '3.0' } },
  { title: 'The first hundred', input: { limit: 100 } },
];
