import type { ErrorCode } from '../../common/error-codes.js';
import type { TokenCounts } from '../../events/run-event.js';
import type { FinishReason } from './chat-model.js';

/** One request to a model, as it goes out. */
export interface ModelRequestFacts {
  runId: string;
  threadId: string;
  provider: string;
  model: string;
  /** From 1; it begins anew with the fallback model. */
  attempt: number;
}

/** What became of a request. */
export interface ModelRequestOutcome {
  /** Null when it failed or was broken off. */
  finish: FinishReason | null;
  usage: TokenCounts | null;
  /** Null when it went well, `CANCELLED` when the run broke it off. */
  error: ErrorCode | null;
  /** Milliseconds until the next try of the same turn; null when there is none. */
  retryInMs: number | null;
}

/** Sees one request; each method is called at most once, `end` always and last. */
export interface ModelRequestObserver {
  /** The first piece of reasoning, text or call has arrived. */
  firstToken(): void;
  end(outcome: ModelRequestOutcome): void;
}

/** Sees the requests of runs to their models; metrics and traces hang here. Methods do not throw. */
export interface ModelObserver {
  start(facts: ModelRequestFacts): ModelRequestObserver;
}

/** Injection token of ModelObserver. */
export const MODEL_OBSERVER = Symbol('MODEL_OBSERVER');
