import { call, type DoorCase } from './door-case.js';

const appended = (from: number): object[] =>
  Array.from({ length: 50 }, (_, i) => ({
    operation: 'append',
    key: 'long.list',
    text: `entry ${from + i}`,
  }));

/** What is remembered; the stage has `{{fact}}` under `profile.city`, and `{{foreign_fact}}`. */
export const MEMORY_CASES: DoorCase[] = [
  { name: 'memory: list', call: call('memory.read', { mode: 'list' }), expected: 'success' },
  {
    name: 'memory: search',
    call: call('memory.read', { mode: 'search', query: 'Berlin' }),
    expected: 'success',
    shows: 'Berlin',
  },
  {
    name: 'memory: search in Chinese, nothing found',
    call: call('memory.read', { mode: 'search', query: '火星' }),
    expected: 'success',
    shows: '"count":0',
  },
  {
    name: 'memory: set',
    call: call('memory.update', {
      key: 'preference.drink',
      text: '喜欢美式咖啡',
      source: 'user_said',
    }),
    expected: 'success',
  },
  {
    name: 'memory: set again supersedes',
    call: call('memory.update', { key: 'preference.drink', text: '喜欢绿茶', source: 'user_said' }),
    expected: 'success',
    shows: '喜欢美式咖啡',
  },
  {
    name: 'memory: a key with its history',
    call: call('memory.read', { mode: 'item', key: 'preference.drink' }),
    expected: 'success',
    shows: '"history"',
  },
  {
    name: 'memory: one fact',
    call: call('memory.read', { mode: 'item', fact_id: '{{fact}}' }),
    expected: 'success',
  },
  {
    name: 'memory: confidence as text',
    call: call('memory.update', { text: 'Plays the piano', confidence: '0.5' }),
    expected: 'success',
  },
  {
    name: 'memory: operations as text',
    call: call('memory.update', { operations: '[{"key":"profile.pet","text":"a cat"}]' }),
    expected: 'success',
  },
  {
    name: 'memory: a batch one of which fails',
    call: call('memory.update', {
      operations: [
        { key: 'profile.car', text: 'none' },
        { operation: 'remove', key: 'no.such.key' },
      ],
    }),
    expected: 'partial',
  },
  { name: 'memory: no mode', call: call('memory.read', {}), expected: 'INVALID_ACTION_INPUT' },
  {
    name: 'memory: a query in a list',
    call: call('memory.read', { mode: 'list', query: 'x' }),
    expected: 'INVALID_ACTION_INPUT',
  },
  {
    name: 'memory: nothing to remember',
    call: call('memory.update', { key: 'a.b' }),
    expected: 'INVALID_ACTION_INPUT',
  },
  {
    name: 'memory: more than sure',
    call: call('memory.update', { text: 'x', confidence: 2 }),
    expected: 'INVALID_ACTION_INPUT',
  },
  {
    name: 'memory: a text of 2,000 characters',
    call: call('memory.update', { text: 'x'.repeat(2000) }),
    expected: 'INVALID_ACTION_INPUT',
  },
  {
    name: 'memory: expires in the past',
    call: call('memory.update', { text: 'x', expires_at: '2020-01-01T00:00:00Z' }),
    expected: 'INVALID_ACTION_INPUT',
  },
  {
    name: 'memory: a password',
    call: call('memory.update', { key: 'mail.password', text: 'hunter2' }),
    expected: 'CREDENTIAL_IN_INPUT',
  },
  {
    name: 'memory: an unknown fact',
    call: call('memory.read', { mode: 'item', fact_id: 'mem_none' }),
    expected: 'NOT_FOUND',
  },
  {
    name: "memory: a stranger's fact",
    call: call('memory.forget', { fact_id: '{{foreign_fact}}' }),
    expected: 'NOT_FOUND',
  },
  {
    name: 'memory: half of a list',
    call: call('memory.update', { operations: appended(0) }),
    expected: 'success',
  },
  {
    name: 'memory: the other half',
    call: call('memory.update', { operations: appended(50) }),
    expected: 'success',
  },
  {
    name: 'memory: one entry too many',
    call: call('memory.update', { operation: 'append', key: 'long.list', text: 'entry 100' }),
    expected: 'LIMIT_EXCEEDED',
  },
  {
    name: 'memory: a key with many facts is shown before it is forgotten',
    call: call('memory.forget', { key: 'long.list' }),
    expected: 'success',
    shows: '"forgotten":false',
  },
  {
    name: 'memory: what was not shown',
    call: call('memory.forget', { key: 'long.list', confirm: '000000000000' }),
    expected: 'CONFLICT',
  },
  {
    name: 'memory: forget',
    call: call('memory.forget', { fact_id: '{{fact}}' }),
    expected: 'success',
  },
  {
    name: 'memory: forgetting it again',
    call: call('memory.forget', { fact_id: '{{fact}}' }),
    expected: 'NOT_FOUND',
  },
];
