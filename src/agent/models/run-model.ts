import { setTimeout as delay } from 'node:timers/promises';
import type { ErrorCode } from '../../common/error-codes.js';
import { StewardError } from '../../common/steward-error.js';
import type { RunNotice } from '../../events/run-event.js';
import type { ModelEndpoint } from '../../observability/model-telemetry.js';
import type { ChatChunk, ChatModel, ChatRequest } from './chat-model.js';
import type { ModelObserver, ModelRequestObserver } from './model-observer.js';
import { retryDelay, type RetryPolicy } from './retry-schedule.js';
import type { TokenMeter } from './token-meter.js';

export interface RunModelPorts {
  /** The model, and those that take over, in their order. */
  models: readonly [ChatModel, ...ChatModel[]];
  retry: RetryPolicy;
  observer: ModelObserver;
  meter: TokenMeter;
  /** Tokens that a turn took whose model did not say. */
  estimate: (request: ChatRequest, said: string) => Promise<number>;
  /** From 0 to 1, for the length of waits. */
  random: () => number;
}

/** Failures of an endpoint, after which it or another may be asked once more. */
const ENDPOINT_FAILURES: ReadonlySet<ErrorCode> = new Set([
  'DEPENDENCY_UNAVAILABLE',
  'RATE_LIMITED',
  'TIMEOUT',
]);

/** What a turn yields: what a model says, and that the turn is made anew. */
export type TurnChunk =
  | ChatChunk
  /** It failed: nothing that came before counts, and it begins again after what `notice` tells. */
  | { type: 'restart'; notice: RunNotice };

/**
 * The model of one run: asks again for a turn that failed, also in the middle of it, and hands over to
 * the fallback model once that is of no use.
 */
export class RunModel {
  private current: number;

  /**
   * @param model name of the one that had taken over before; null for none. One that is not there any
   *   more leaves the run to the first.
   */
  constructor(
    private readonly ports: RunModelPorts,
    private readonly run: { runId: string; threadId: string },
    model: string | null = null,
  ) {
    this.current = Math.max(
      0,
      ports.models.findLastIndex(({ name }) => name === model),
    );
  }

  get meter(): TokenMeter {
    return this.ports.meter;
  }

  /**
   * One turn, whole or failed; `finish` comes last. A `restart` comes before each wait and at a handing
   * over.
   * @throws the signal's reason when it aborts; what the last try failed with.
   */
  async *turn(request: ChatRequest, signal: AbortSignal): AsyncGenerator<TurnChunk, void, void> {
    for (let attempt = 1; ; attempt += 1) {
      const tried = new Try(this.model, this.observe(attempt));
      try {
        for await (const chunk of tried.chunks(request, signal)) {
          if (chunk.type === 'finish') await this.count(tried, request);
          yield chunk;
        }
        return;
      } catch (error) {
        const failure = signal.aborted ? null : endpointFailure(error);
        if (!failure) throw error;
        const { code, message: reason } = failure;
        const retryInMs = this.waitAfter(failure, attempt);
        tried.retryInMs = retryInMs;
        if (retryInMs !== null) {
          const of = this.ports.retry.maxAttempts;
          const notice = { attempt: attempt + 1, of, retryInMs, code };
          yield { type: 'restart', notice: { type: 'model_retry', ...notice } };
        } else {
          if (!this.fallBack(code, reason)) throw error;
          const notice = { model: this.model.name, code };
          yield { type: 'restart', notice: { type: 'model_fallback', ...notice } };
          attempt = 0;
        }
      } finally {
        tried.end(signal.aborted);
      }
      if (tried.retryInMs !== null) await wait(tried.retryInMs, signal);
    }
  }

  private get model(): ChatModel {
    return this.ports.models[this.current] ?? this.ports.models[0];
  }

  private observe(attempt: number): ModelRequestObserver {
    const { provider, name, server } = this.model;
    const endpoint = { provider, model: name, server: server ?? null };
    return this.ports.observer.start({ ...this.run, ...endpoint, attempt });
  }

  private waitAfter(failure: StewardError, attempt: number): number | null {
    if (!failure.retryable) return null;
    const asked = failure.details.retryAfterMs ?? null;
    return retryDelay(this.ports.retry, attempt, asked, this.ports.random());
  }

  private fallBack(code: ErrorCode, reason: string): boolean {
    if (this.current + 1 >= this.ports.models.length) return false;
    const from = endpointOf(this.model);
    this.current += 1;
    this.ports.observer.fellBack({ ...this.run, from, to: endpointOf(this.model), code, reason });
    return true;
  }

  private async count({ finish, said }: Try, request: ChatRequest): Promise<void> {
    if (finish?.usage) this.meter.add(this.model, finish.usage);
    else this.meter.addEstimate(await this.ports.estimate(request, said));
  }
}

/** One request, and what came of it. */
class Try {
  finish: Extract<ChatChunk, { type: 'finish' }> | null = null;
  /** Text and arguments of calls. */
  said = '';
  retryInMs: number | null = null;
  private error: ErrorCode | null = null;
  private reason: string | null = null;
  private begun = false;

  constructor(
    private readonly model: ChatModel,
    private readonly observer: ModelRequestObserver,
  ) {}

  async *chunks(request: ChatRequest, signal: AbortSignal): AsyncGenerator<ChatChunk, void, void> {
    try {
      for await (const chunk of this.model.stream(request, signal)) {
        if (!this.begun && chunk.type !== 'finish') this.observer.firstToken();
        this.begun ||= chunk.type !== 'finish';
        if (chunk.type === 'finish') this.finish = chunk;
        else if (chunk.type === 'text') this.said += chunk.delta;
        else if (chunk.type === 'tool_call') this.said += chunk.call.name + chunk.call.arguments;
        yield chunk;
        if (this.finish) return;
      }
      throw new StewardError('DEPENDENCY_UNAVAILABLE', 'The model did not end its turn.');
    } catch (error) {
      this.error = error instanceof StewardError ? error.code : 'INTERNAL';
      this.reason = error instanceof StewardError ? error.message : null;
      throw error;
    }
  }

  end(aborted: boolean): void {
    const broken = aborted || (this.error === null && this.finish === null);
    this.observer.end({
      finish: this.finish?.reason ?? null,
      answeredBy: this.finish?.model ?? null,
      usage: this.finish?.usage ?? null,
      error: this.error ?? (broken ? 'CANCELLED' : null),
      retryInMs: this.retryInMs,
      reason: this.reason,
    });
  }
}

function endpointOf({ provider, name, host }: ChatModel): ModelEndpoint {
  return { provider, model: name, host: host ?? null };
}

function endpointFailure(error: unknown): StewardError | null {
  return error instanceof StewardError && ENDPOINT_FAILURES.has(error.code) ? error : null;
}

async function wait(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await delay(ms, undefined, { signal });
  } catch {
    signal.throwIfAborted();
  }
}
