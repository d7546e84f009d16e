import { Injectable, Logger } from '@nestjs/common';
import { SpanKind } from '@opentelemetry/api';
import type { Counter, Histogram } from 'prom-client';
import { Metrics } from './metrics.js';
import { Tracing } from './tracing.js';

/** A host name or an IP address, IPv6 without brackets, and the port, also where the URL leaves it out. */
export interface ModelServerAddress {
  address: string;
  port: number;
}

/** One request to a model, as it goes out. */
export interface ModelRequest {
  runId: string;
  threadId: string;
  provider: string;
  model: string;
  /** Where the model is asked; null for one in this process. */
  server: ModelServerAddress | null;
  /** From 1; it begins anew with the fallback model. */
  attempt: number;
}

/** What became of it. */
export interface ModelOutcome {
  /** Null when it failed or was broken off. */
  finish: string | null;
  /** The model that answered, as the endpoint names it; null where it does not say, and as `finish`. */
  answeredBy: string | null;
  usage: { inputTokens: number; outputTokens: number } | null;
  /** Code of PROTOCOL §5; null when it went well, `CANCELLED` when the run broke it off. */
  error: string | null;
  /** Milliseconds until the next try of the same turn; null when there is none. */
  retryInMs: number | null;
  /** What is logged of the failure: ours, never the endpoint's words. Null as `error`. */
  reason: string | null;
}

/** A model and where it is asked. */
export interface ModelEndpoint {
  provider: string;
  model: string;
  /** Host of its endpoint; null where there is none. */
  host: string | null;
}

/** A model could not be had, and the next one takes over. */
export interface ModelFallback {
  runId: string;
  threadId: string;
  from: ModelEndpoint;
  to: ModelEndpoint;
  /** Code of PROTOCOL §5: what the last request to `from` failed with. */
  code: string;
  /** The message of that failure, as `ModelOutcome.reason`. */
  reason: string;
}

/** Requests of runs to their models. Providers and models are those of the configuration. */
@Injectable()
export class ModelTelemetry {
  private readonly logger = new Logger(ModelTelemetry.name);
  private readonly duration: Histogram<'provider' | 'model' | 'outcome'>;
  private readonly firstToken: Histogram<'provider' | 'model'>;
  private readonly retries: Counter<'provider' | 'model'>;
  private readonly fallbacks: Counter<'provider' | 'model'>;
  private readonly tokens: Counter<'provider' | 'model' | 'direction'>;

  constructor(
    metrics: Metrics,
    private readonly tracing: Tracing,
  ) {
    const names = ['provider', 'model'] as const;
    this.duration = metrics.histogram(
      'steward_model_request_duration_seconds',
      'Requests to models, by what became of them: ok, or the code of the failure.',
      [...names, 'outcome'],
    );
    this.firstToken = metrics.histogram(
      'steward_model_time_to_first_token_seconds',
      'From a request to the first piece of its answer, reasoning included.',
      names,
    );
    this.retries = metrics.counter(
      'steward_model_retries_total',
      'Requests that failed and were sent again.',
      names,
    );
    this.fallbacks = metrics.counter(
      'steward_model_fallbacks_total',
      'Runs for which the fallback model took over, by the model that could not be had.',
      names,
    );
    this.tokens = metrics.counter(
      'steward_model_tokens_total',
      'Tokens that models have said they took.',
      [...names, 'direction'],
    );
  }

  /** The hosts are for the log of the operator alone. */
  fellBack({ runId, from, to, code, reason }: ModelFallback): void {
    this.fallbacks.inc({ provider: from.provider, model: from.model });
    this.logger.warn(
      `Run ${runId}: ${described(from)} failed with ${code} (${reason}), ${described(to)} takes over.`,
    );
  }

  /** A request goes out. @returns what hears of its first piece, and once of its end. */
  start(request: ModelRequest): { firstToken(): void; end(outcome: ModelOutcome): void } {
    const { provider, model, server } = request;
    const labels = { provider, model };
    const since = performance.now();
    const seconds = (): number => (performance.now() - since) / 1000;
    const span = this.tracing.open(`chat ${model}`, {
      kind: SpanKind.CLIENT,
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': provider,
        'gen_ai.request.model': model,
        'gen_ai.conversation.id': request.threadId,
        ...(server && { 'server.address': server.address, 'server.port': server.port }),
        'steward.request.attempt': request.attempt,
      },
    });
    return {
      firstToken: () => this.firstToken.observe(labels, seconds()),
      end: (outcome) => {
        const { error, usage, retryInMs, reason } = outcome;
        this.duration.observe({ ...labels, outcome: error ?? 'ok' }, seconds());
        if (retryInMs !== null) {
          this.retries.inc(labels);
          const { runId, attempt } = request;
          this.logger.warn(
            `Run ${runId}: try ${attempt} of ${model} failed with ${error} (${reason}), the next is in ${retryInMs} ms.`,
          );
        }
        if (usage) {
          this.tokens.inc({ ...labels, direction: 'input' }, usage.inputTokens);
          this.tokens.inc({ ...labels, direction: 'output' }, usage.outputTokens);
        }
        span.end(error, {
          ...(outcome.answeredBy !== null && { 'gen_ai.response.model': outcome.answeredBy }),
          ...(outcome.finish !== null && { 'gen_ai.response.finish_reasons': [outcome.finish] }),
          ...(usage && {
            'gen_ai.usage.input_tokens': usage.inputTokens,
            'gen_ai.usage.output_tokens': usage.outputTokens,
          }),
        });
      },
    };
  }
}

function described({ model, host }: ModelEndpoint): string {
  return host === null ? model : `${model} at ${host}`;
}
