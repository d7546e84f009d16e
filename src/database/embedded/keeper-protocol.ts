/** What the server tells its keeper: the only argument of the keeper process, as JSON. */
export interface KeeperOrder {
  postgres: string;
  args: string[];
  uid?: number;
  gid?: number;
}

/** What the keeper tells the server over the IPC channel. */
export type KeeperMessage =
  | { type: 'ready' }
  /** A line of PostgreSQL's log. */
  | { type: 'log'; line: string }
  /** PostgreSQL ended without having been asked to; it is started again unless `final`. */
  | { type: 'ended'; final: boolean };
