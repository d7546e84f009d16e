import type { JsonObject } from '../common/json.js';
import type { Locale } from '../common/locale.js';
import type { Interrupt } from './interrupt.js';

/** A call that cannot go on without a person. */
export interface AskedCall {
  userId: string;
  threadId: string | null;
  /** Session of the call: its run, or outside of runs its credential. */
  runId: string | null;
  credentialJti: string;
  credentialExpiresAt: Date;
  toolCallId: string;
  profile: string;
  module: string;
  method: string;
  /** Repaired, validated, frozen. */
  input: JsonObject;
  locale: Locale;
  door: string;
  /**
   * Whether its run's client carries it out. It has no record until the client has answered, so what it
   * has used up goes on to stand for it: who takes the run up hands out the same call.
   */
  handsOut: boolean;
}

/** What a call asks a person for. */
export type Ask =
  | {
      kind: 'approval';
      rule: string;
      standing: boolean;
      /**
       * What the call touches, in the person's language; '' for nothing to say. Called only when the
       * person is about to be asked.
       * @throws StewardError when the call cannot succeed, so that nobody is asked for it.
       */
      describe: () => Promise<string>;
    }
  | {
      kind: 'question';
      message: string;
      schema: JsonObject;
      /** Rule of the approval that the call had on its way here; null when it needed none. */
      rule: string | null;
    };

/** What persons have granted to a call. */
export interface Permits {
  /** `standing`: the user has allowed the method once and for all. */
  approval?: 'standing' | Interrupt;
  answer?: Interrupt;
}

const GRANTED = new Set(['approved', 'answered', 'declined']);

/**
 * What an interrupt grants to a call that asks for `kind` with an input of this hash; null for
 * nothing. The answer to a question stands for the approval too that its call had before it could
 * ask. What is used up grants nothing but to the call itself that used it, where that is handed out. Pure.
 */
export function permitsOf(
  interrupt: Interrupt,
  kind: Ask['kind'],
  hash: string,
  handsOut: boolean,
): Permits | null {
  const { status, grantedHash, consumedAt, rule } = interrupt;
  if (grantedHash !== hash || !GRANTED.has(status)) return null;
  if (consumedAt !== null && !handsOut) return null;
  if (interrupt.kind === kind) {
    return kind === 'approval' ? { approval: interrupt } : { answer: interrupt };
  }
  const approvedBefore = interrupt.kind === 'question' && rule !== null;
  return approvedBefore ? { approval: interrupt, answer: interrupt } : null;
}
