import type { CapabilityExample } from '../../tool-router/public.js';

const FACT_ID = 'mem_01JE4Z8K3V0W7R5T9Q2M6N8P1X';

/** Calls that `help.describe` shows; a test runs each against the real method. */
export const READ: CapabilityExample[] = [
  { title: 'The newest facts', input: { mode: 'list', limit: 10 } },
  { title: 'A search', input: { mode: 'search', query: '咖啡' } },
  { title: 'A key, with its earlier values', input: { mode: 'item', key: 'preference.drink' } },
  { title: 'One fact', input: { mode: 'item', fact_id: FACT_ID } },
];

export const UPDATE: CapabilityExample[] = [
  {
    title: 'The user said what they like',
    input: { key: 'preference.drink', text: '喜欢美式咖啡', source: 'user_said' },
  },
  {
    title: 'A conclusion that holds for some time',
    input: {
      text: 'Is preparing a talk for the spring conference',
      confidence: 0.6,
      expires_at: '2999-05-01T00:00:00+08:00',
    },
  },
  {
    title: 'One more in a list',
    input: { operation: 'append', key: 'allergies', text: 'peanuts', source: 'user_said' },
  },
  {
    title: 'Several changes',
    input: {
      operations: [
        { key: 'profile.city', text: 'Berlin', source: 'user_said' },
        { operation: 'remove', key: 'allergies', text: 'peanuts' },
      ],
    },
  },
];

export const FORGET: CapabilityExample[] = [
  { title: 'One fact', input: { fact_id: FACT_ID } },
  { title: 'A key and its history', input: { key: 'preference.drink' } },
  { title: 'What a query finds; lists it first', input: { query: 'spring conference' } },
];
