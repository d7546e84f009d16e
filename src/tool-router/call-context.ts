import type { CallClaims } from './caller.js';
import type { PersonAnswer } from './input-required.js';
import type { Locale } from '../common/locale.js';

/**
 * The way a call came in (PROTOCOL §3). It decides nothing; logs and the audit name it. A call of the
 * runtime is `agent`, also when its executor takes the way over HTTP; a `project-cli` that somebody
 * else runs is a client of the HTTP door like others.
 */
export type Door = 'agent' | 'http' | 'mcp' | 'action';

/**
 * Everything a method may know about its caller besides the validated input. It holds claims, never
 * a token. `@CliContext()` injects it.
 */
export interface CallContext {
  readonly userId: string;
  readonly claims: CallClaims;
  readonly toolCallId: string;
  readonly runId: string | null;
  readonly threadId: string | null;
  readonly locale: Locale;
  /** IANA zone in which the user's "today" is meant. */
  readonly timezone: string;
  readonly door: Door;
  /** What the person answered to the `InputRequired` that this call has thrown before. */
  readonly answer?: PersonAnswer;
  /** Id of the interrupt by which the person approved just this call; absent where none was needed. */
  readonly approvalId?: string;
  /** The runtime makes the call, and has the run wait where its client is to carry it out. */
  readonly handsOut?: true;
  /** Aborted when the run is cancelled or the method's time is over. */
  readonly signal: AbortSignal;
}
