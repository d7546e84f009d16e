import { cardFile, VCARD } from './belongings.js';
import { read, refused, to, type IsolationCases } from './isolation-case.js';

/** Attempts on the address book. */
export const CONTACTS: IsolationCases = {
  methods: {
    'contacts.create': [
      {
        name: 'with a number that the first person has too',
        input: ({ phone }, { mark }) => ({ name: `New ${mark}`, phones: [phone] }),
        expected: 'own',
      },
    ],
    'contacts.delete': [
      {
        name: 'a contact',
        input: ({ contact }) => ({ contact_id: contact }),
        expected: 'NOT_FOUND',
      },
    ],
    'contacts.export': [
      {
        name: 'a contact',
        input: ({ contact }) => ({ contact_ids: [contact] }),
        expected: 'NOT_FOUND',
        control: true,
      },
      {
        name: 'a contact beside an own one',
        input: ({ contact }, own) => ({ contact_ids: [own.contact, contact] }),
        expected: 'NOT_FOUND',
      },
      { name: 'all', input: () => ({}), expected: 'own', control: true },
      {
        name: 'a group that both have',
        input: () => ({ group: 'friends' }),
        expected: 'own',
        control: true,
      },
    ],
    'contacts.import': [
      {
        name: 'a file that the first person imported too',
        input: (_first, { mark }) => ({ vcard: cardFile(`Again ${mark}`) }),
        expected: 'nothing',
      },
    ],
    'contacts.merge': [
      {
        name: 'a contact into an own one',
        input: ({ contact }, own) => ({ contact_id: own.contact, other_ids: [contact] }),
        expected: 'NOT_FOUND',
      },
      {
        name: 'an own contact into one of the first person',
        input: ({ contact }, own) => ({ contact_id: contact, other_ids: [own.contact] }),
        expected: 'NOT_FOUND',
      },
    ],
    'contacts.read': [
      { name: 'all', input: () => ({ mode: 'list' }), expected: 'own', control: true },
      {
        name: 'a group that both have',
        input: () => ({ mode: 'list', group: 'friends' }),
        expected: 'own',
        control: true,
      },
      {
        name: 'a search',
        input: ({ mark }) => ({ mode: 'search', query: mark }),
        expected: 'nothing',
        control: true,
      },
      {
        name: 'a name',
        input: ({ mark }) => ({ mode: 'resolve', query: mark }),
        expected: 'nothing',
        control: true,
      },
      {
        name: 'a number',
        input: ({ phone }) => ({ mode: 'resolve', query: phone }),
        expected: 'nothing',
        control: true,
      },
      {
        name: 'a contact',
        input: ({ contact }) => ({ mode: 'contact', contact_id: contact }),
        expected: 'NOT_FOUND',
        control: true,
      },
      { name: 'duplicates', input: () => ({ mode: 'duplicates' }), expected: 'own', control: true },
    ],
    'contacts.update': [
      {
        name: 'a contact',
        input: ({ contact }) => ({ contact_id: contact, notes: 'Mine' }),
        expected: 'NOT_FOUND',
      },
    ],
  },
  routes: {
    'GET /contacts': [
      { name: 'all', attempt: () => to('/contacts'), expected: 'own', ...read },
      {
        name: 'a search',
        attempt: ({ mark }) => to(`/contacts?query=${mark}`),
        expected: 'nothing',
        ...read,
      },
    ],
    'POST /contacts': [
      {
        name: 'with a number that the first person has too',
        attempt: ({ phone }, { mark }) =>
          to('/contacts', { name: `Another ${mark}`, phones: [phone] }),
        expected: 'own',
      },
    ],
    'GET /contacts/resolve': [
      {
        name: 'a name',
        attempt: ({ mark }) => to(`/contacts/resolve?query=${mark}`),
        expected: 'nothing',
        ...read,
      },
    ],
    'GET /contacts/duplicates': [
      { name: 'all', attempt: () => to('/contacts/duplicates'), expected: 'own', ...read },
    ],
    'GET /contacts/{contact_id}': refused(({ contact }) => to(`/contacts/${contact}`), read),
    'PATCH /contacts/{contact_id}': refused(({ contact }) =>
      to(`/contacts/${contact}`, { notes: 'Mine' }),
    ),
    'DELETE /contacts/{contact_id}': refused(({ contact }) => to(`/contacts/${contact}`)),
    'GET /contacts/{contact_id}/avatar': refused(({ contact }) =>
      to(`/contacts/${contact}/avatar`),
    ),
    'POST /contacts/{contact_id}/merge': [
      {
        name: 'into one of the first person',
        attempt: ({ contact }, own) =>
          to(`/contacts/${contact}/merge`, { other_ids: [own.otherContact] }),
        expected: 'NOT_FOUND',
      },
      {
        name: 'one of the first person',
        attempt: ({ contact }, own) =>
          to(`/contacts/${own.contact}/merge`, { other_ids: [contact] }),
        expected: 'NOT_FOUND',
      },
    ],
    'POST /contacts/import': [
      {
        name: 'a file that the first person imported too',
        attempt: (_first, { mark }) => to('/contacts/import', cardFile(`Yet again ${mark}`), VCARD),
        expected: 'nothing',
      },
    ],
    'GET /contacts/export': [
      { name: 'all', attempt: () => to('/contacts/export'), expected: 'own', ...read },
      {
        name: 'a group that both have',
        attempt: () => to('/contacts/export?group=friends'),
        expected: 'own',
        ...read,
      },
    ],
  },
};
