import type {
  ModelFallback,
  ModelOutcome,
  ModelRequest,
} from '../../observability/model-telemetry.js';

/** Sees one request; each method is called at most once, `end` always and last. */
export interface ModelRequestObserver {
  /** The first piece of reasoning, text or call has arrived. */
  firstToken(): void;
  end(outcome: ModelOutcome): void;
}

/** Sees the requests of runs to their models; metrics and traces hang here. Methods do not throw. */
export interface ModelObserver {
  start(request: ModelRequest): ModelRequestObserver;
  /** Another model takes over for the rest of a run. */
  fellBack(fallback: ModelFallback): void;
}

/** Injection token of ModelObserver. */
export const MODEL_OBSERVER = Symbol('MODEL_OBSERVER');
