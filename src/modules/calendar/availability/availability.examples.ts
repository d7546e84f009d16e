import type { CapabilityExample } from '../../../tool-router/public.js';

export const FREE_BUSY: CapabilityExample[] = [
  {
    title: 'When Amy is busy on a day',
    input: {
      start_at: '2026-04-21T00:00:00+08:00',
      end_at: '2026-04-22T00:00:00+08:00',
      people: ['amy@example.com'],
    },
  },
];

export const FIND_SLOT: CapabilityExample[] = [
  {
    title: 'Half an hour with Amy this week, in the afternoon',
    input: {
      duration_minutes: 30,
      start_at: '2026-04-20T00:00:00+08:00',
      end_at: '2026-04-25T00:00:00+08:00',
      participants: ['amy@example.com'],
      work_start: '13:00',
    },
  },
];
