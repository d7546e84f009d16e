import type { RecordReference } from './record-object.js';

/** Where the record of a tool message is, or is to be, kept (PROTOCOL §9). */
export type Placement =
  | { state: 'inline' }
  /** The store did not take it: the row keeps it until the sweeper moves it. */
  | { state: 'write_failed' }
  | { state: 'stored'; reference: RecordReference };
