import { read, refused, to, type IsolationCases } from './isolation-case.js';

/** Attempts on what is remembered; the last leaves nothing of the caller. */
export const MEMORY: IsolationCases = {
  methods: {
    'memory.forget': [
      { name: 'a fact', input: ({ fact }) => ({ fact_id: fact }), expected: 'NOT_FOUND' },
      { name: 'a key', input: ({ factKey }) => ({ key: factKey }), expected: 'NOT_FOUND' },
      { name: 'a word', input: ({ mark }) => ({ query: mark }), expected: 'NOT_FOUND' },
    ],
    'memory.read': [
      { name: 'all', input: () => ({ mode: 'list' }), expected: 'own', control: true },
      {
        name: 'a key that both have',
        input: () => ({ mode: 'item', key: 'shared.key' }),
        expected: 'own',
        control: true,
      },
      {
        name: 'a fact',
        input: ({ fact }) => ({ mode: 'item', fact_id: fact }),
        expected: 'NOT_FOUND',
        control: true,
      },
      {
        name: 'a key',
        input: ({ factKey }) => ({ mode: 'item', key: factKey }),
        expected: 'NOT_FOUND',
        control: true,
      },
      {
        name: 'a search',
        input: ({ mark }) => ({ mode: 'search', query: mark }),
        expected: 'nothing',
        control: true,
      },
    ],
    'memory.update': [
      {
        name: 'a fact',
        input: ({ fact }) => ({ fact_id: fact, text: 'Mine' }),
        expected: 'NOT_FOUND',
      },
      {
        name: 'taking a fact away',
        input: ({ fact }) => ({ operation: 'remove', fact_id: fact }),
        expected: 'NOT_FOUND',
      },
      {
        name: 'a key that both have',
        input: (_first, { mark }) => ({ key: 'shared.key', text: `Newer ${mark}` }),
        expected: 'own',
      },
    ],
  },
  routes: {
    'GET /memories': [
      { name: 'all', attempt: () => to('/memories'), expected: 'own', ...read },
      {
        name: 'a search',
        attempt: ({ mark }) => to(`/memories?query=${mark}`),
        expected: 'nothing',
        ...read,
      },
      {
        name: 'a key',
        attempt: ({ factKey }) => to(`/memories?key=${factKey}`),
        expected: 'nothing',
        ...read,
      },
    ],
    'POST /memories': [
      {
        name: 'a key that both have',
        attempt: (_first, { mark }) =>
          to('/memories', { key: 'shared.key', text: `Newest ${mark}` }),
        expected: 'own',
      },
    ],
    'GET /memories/export': [
      { name: 'all', attempt: () => to('/memories/export'), expected: 'own', ...read },
    ],
    'GET /memories/{fact_id}': refused(({ fact }) => to(`/memories/${fact}`), read),
    'PATCH /memories/{fact_id}': refused(({ fact }) => to(`/memories/${fact}`, { text: 'Mine' })),
    'DELETE /memories/{fact_id}': refused(({ fact }) => to(`/memories/${fact}`)),
    'DELETE /memories': [
      {
        name: 'everything',
        attempt: () => to('/memories?confirm=everything'),
        expected: 'nothing',
      },
    ],
  },
};
