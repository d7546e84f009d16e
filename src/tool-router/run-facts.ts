import type { PendingCall } from '../events/run-event.js';
import type { ClientTool } from './client-tools/client-tool.js';

export const RUN_FACTS = Symbol('RUN_FACTS');

/** What is asked of runs by those who do not own their rows; run ids are unique among a user's only. */
export interface RunFacts {
  /** The tools that the client of a run of the user brought, null for none; undefined for no such run. */
  clientTools(userId: string, runId: string): Promise<readonly ClientTool[] | null | undefined>;

  /**
   * Calls of the user's thread that its client can still answer, in the order in which they were made.
   * @param now instant at which the time to answer must not be over.
   */
  pendingCalls(userId: string, threadId: string, now: Date): Promise<PendingCall[]>;

  /**
   * Whether a run has come to wait for an answer, whatever became of it: whoever goes on with it, or ends it,
   * tells what its open calls come to, and nothing is executed under its own id any more.
   */
  hasWaited(userId: string, runId: string): Promise<boolean>;

  /**
   * Where a run began: one that was answered goes on as another one, and is still the same work.
   * @returns the first of the runs that answer the same message and end in `runId`.
   */
  originOf(userId: string, runId: string): Promise<string>;
}
