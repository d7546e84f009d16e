import type { SpanContext } from '@opentelemetry/api';
import type { OpenSpan, TraceScope, Tracing } from './tracing.js';

/**
 * The spans of one run after OpenTelemetry's conventions for GenAI: `invoke_agent`, in it one for each
 * time that the run is in a stage. Calls of models and tools hang at the stage that they begin in.
 */
export class RunTrace implements TraceScope {
  private readonly run: OpenSpan;
  private stage: OpenSpan | null = null;
  private error: string | null = null;
  /** How it ended; one that another process goes on with is released here. */
  private outcome = 'released';

  /** @param parent what asked for the run; null when nobody said. */
  constructor(
    private readonly tracing: Tracing,
    run: { id: string; threadId: string },
    parent: SpanContext | null,
  ) {
    this.run = tracing.open('invoke_agent steward', {
      attributes: {
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.agent.name': 'steward',
        'gen_ai.conversation.id': run.threadId,
        'steward.run.id': run.id,
      },
      parent,
    });
  }

  get parent(): SpanContext | null {
    return (this.stage ?? this.run).context;
  }

  stageBegan(name: string, at: number): void {
    this.stage = this.tracing.open(`stage ${name}`, {
      attributes: { 'steward.stage': name },
      parent: this.run.context,
      at,
    });
  }

  stageEnded(at?: number): void {
    this.stage?.end(null, {}, at);
    this.stage = null;
  }

  ended(outcome: string, code: string | null): void {
    this.outcome = outcome;
    this.error = code;
  }

  /** This process does no more for the run. */
  close(): void {
    this.stageEnded();
    this.run.end(this.error, { 'steward.run.outcome': this.outcome });
  }
}
