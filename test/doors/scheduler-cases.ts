import { call, type DoorCase } from './door-case.js';

const TASK = { title: '早报', prompt: '今天有什么安排？', cron: '0 9 * * MON-FRI' };

/** Scheduled tasks; the stage has `{{task}}` and `{{foreign_task}}`. */
export const SCHEDULER_CASES: DoorCase[] = [
  {
    name: 'scheduler: create waits for the person',
    call: call('scheduler.create', TASK),
    expected: 'APPROVAL_REQUIRED',
    shows: '"kind":"approval"',
  },
  {
    name: 'scheduler: create with a pattern that is none asks nobody',
    call: call('scheduler.create', { ...TASK, cron: '61 9 * * *' }),
    expected: 'INVALID_ACTION_INPUT',
  },
  {
    name: 'scheduler: create with an owner id',
    call: call('scheduler.create', { ...TASK, owner_id: 'usr_1' }),
    expected: 'CREDENTIAL_IN_INPUT',
  },
  {
    name: 'scheduler: create outside of the scope',
    call: call('scheduler.create', TASK),
    expected: 'SCOPE_EXCEEDED',
    as: 'narrow-scope',
  },
  {
    name: 'scheduler: list',
    call: call('scheduler.list', { limit: '5' }),
    expected: 'success',
    shows: 'Own task',
  },
  {
    name: 'scheduler: list with a cursor of nobody',
    call: call('scheduler.list', { cursor: 'x' }),
    expected: 'INVALID_ACTION_INPUT',
  },
  {
    name: 'scheduler: cancel what is somebody else’s',
    call: call('scheduler.cancel', { id: '{{foreign_task}}' }),
    expected: 'NOT_FOUND',
  },
  {
    name: 'scheduler: cancel',
    call: call('scheduler.cancel', { id: '{{task}}' }),
    expected: 'success',
  },
  {
    name: 'scheduler: cancel what is cancelled',
    call: call('scheduler.cancel', { id: '{{task}}' }),
    expected: 'NOT_FOUND',
  },
];
