import type { FoldedRun } from '../../loop/run-fold.js';
import type { TurnCall } from '../../loop/turn-calls.js';
import type { RunCaller } from '../../run-briefing.js';
import type { AnsweredMessage } from '../../run-window.js';
import type { Run } from '../run.js';

/** A stored run with what its execution needs besides, from the memory of this process or its rows. */
export interface Assignment {
  run: Run;
  caller: RunCaller;
  answers: AnsweredMessage;
  /** Where its durable events leave a run that was begun before; null for one that was not. */
  begun: FoldedRun | null;
  /** Calls without a result: of its own, or of the run before it with what became of what they asked. */
  open: TurnCall[];
  /** Id of the run's RUN_STARTED. */
  startEventId: number;
  /** Controlled credential of the run, and when it ends; never stored. */
  credential: string;
  credentialExpiresAt: Date;
}
