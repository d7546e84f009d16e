import { AGENT_ACTOR } from '../../../credential/exchange-request.js';
import { RUN_SCOPE } from '../../run-briefing.js';

/** Under what a run is created. */
export interface RunTerms {
  /** Who acts, as its credential names it. */
  actor: string;
  /** Scope of its credential. */
  scope: readonly string[];
  /** Runs in the transaction that stores the run, before anything is stored; its throw stops it. */
  confirm: () => Promise<void>;
}

/** The person asks for it themselves, with a bearer token. */
export const IN_PERSON: RunTerms = {
  actor: AGENT_ACTOR,
  scope: RUN_SCOPE,
  confirm: () => Promise.resolve(),
};
