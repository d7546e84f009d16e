import type { CapabilityExample } from '../../tool-router/public.js';

/** Calls that `help.describe` shows; a test runs each against the real method. */
export const CREATE: CapabilityExample[] = [
  {
    title: 'Every working day at nine',
    input: {
      title: 'Agenda of the day',
      prompt: '今天有什么安排？',
      cron: '0 9 * * MON-FRI',
      timezone: 'Asia/Shanghai',
    },
  },
  {
    title: 'Ten Mondays, as a rule',
    input: {
      title: 'Week ahead',
      prompt: 'What is in my calendar this week?',
      rrule: 'FREQ=WEEKLY;BYDAY=MO;BYHOUR=8;COUNT=10',
      missed: 'skip',
    },
  },
];

export const LIST: CapabilityExample[] = [{ title: 'The newest tasks', input: { limit: 10 } }];

export const CANCEL: CapabilityExample[] = [
  { title: 'One task', input: { id: 'sch_01JE4Z8K3V0W7R5T9Q2M6N8P1X' } },
];
