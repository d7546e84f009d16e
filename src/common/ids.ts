import { monotonicFactory } from 'ulid';

/**
 * Prefix of every kind of id. An id is `prefix_` and a ULID: sortable by creation, 26 characters,
 * safe in URLs, and a person or a model sees what kind of thing it names.
 */
export type IdPrefix =
  | 'usr'
  | 'thr'
  | 'run'
  | 'msg'
  | 'call'
  | 'evt'
  | 'con'
  | 'att'
  | 'cred'
  | 'key'
  | 'req'
  | 'ses'
  | 'file'
  | 'mem'
  | 'sch'
  | 'grant'
  | 'aud'
  | 'int'
  | 'rule';

/** An id that was made here, of whatever kind. */
export const OWN_ID = /^[a-z]+_[0-9A-HJKMNP-TV-Z]{26}$/;

const next = monotonicFactory();

/** A new id such as `evt_01JE4Z8K3V0W7R5T9Q2M6N8P1X`; ids made in one process grow. */
export function newId(prefix: IdPrefix): string {
  return `${prefix}_${next()}`;
}
