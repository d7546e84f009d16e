import { read, refused, to, type IsolationCases } from './isolation-case.js';

const daily = (title: string) => ({ title, prompt: title, cron: '0 9 * * *' });

/** Attempts on scheduled tasks. */
export const SCHEDULER: IsolationCases = {
  methods: {
    'scheduler.create': [
      {
        name: 'without an approval',
        input: (_first, { mark }) => daily(`Mine ${mark}`),
        expected: 'APPROVAL_REQUIRED',
      },
    ],
    'scheduler.list': [{ name: 'all', input: () => ({}), expected: 'own', control: true }],
    'scheduler.cancel': [
      { name: 'a task', input: ({ task }) => ({ id: task }), expected: 'NOT_FOUND' },
    ],
  },
  routes: {
    'GET /schedules': [{ name: 'all', attempt: () => to('/schedules'), expected: 'own', ...read }],
    'POST /schedules': [
      {
        name: 'one of their own',
        attempt: (_first, { mark }) => to('/schedules', daily(`Mine ${mark}`)),
        expected: 'own',
      },
    ],
    'GET /schedules/{id}': refused(({ task }) => to(`/schedules/${task}`), read),
    'PATCH /schedules/{id}': refused(({ task }) => to(`/schedules/${task}`, { title: 'Mine' })),
    'DELETE /schedules/{id}': refused(({ task }) => to(`/schedules/${task}`)),
    'DELETE /schedules/{id}/grant': refused(({ task }) => to(`/schedules/${task}/grant`)),
    'GET /schedules/{id}/runs': refused(({ task }) => to(`/schedules/${task}/runs`)),
  },
};
