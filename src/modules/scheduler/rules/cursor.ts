import { invalidField } from '../scheduler.errors.js';

const TASK_ID = /^sch_[0-9A-Z]{26}$/;

export function encodeTaskCursor(id: string): string {
  return Buffer.from(id).toString('base64url');
}

/** @throws StewardError INVALID_ACTION_INPUT when it is not of a page of tasks. */
export function decodeTaskCursor(cursor: string): string {
  const id = Buffer.from(cursor, 'base64url').toString('latin1');
  if (TASK_ID.test(id) && encodeTaskCursor(id) === cursor) return id;
  throw badCursor();
}

export function encodeFiringCursor(dueAt: Date): string {
  return Buffer.from(String(dueAt.getTime())).toString('base64url');
}

/** @throws StewardError INVALID_ACTION_INPUT when it is not of a page of a task's history. */
export function decodeFiringCursor(cursor: string): Date {
  const text = Buffer.from(cursor, 'base64url').toString('latin1');
  const dueAt = new Date(/^\d{1,14}$/.test(text) ? Number(text) : Number.NaN);
  if (!Number.isNaN(dueAt.getTime()) && encodeFiringCursor(dueAt) === cursor) return dueAt;
  throw badCursor();
}

function badCursor() {
  return invalidField('cursor', 'is not a nextCursor of an earlier page of the same list.');
}
