import { Injectable } from '@nestjs/common';
import type { Counter, Histogram } from 'prom-client';
import { inLogContext } from '../logging/log-context.js';
import { Metrics } from './metrics.js';
import { RunTrace } from './run-trace.js';
import { RunWatch, type RunObserver, type WatchedEvent } from './run-watch.js';
import { readTraceparent } from './trace-parent.js';
import { Tracing } from './tracing.js';

/** A run as it is when its execution begins. */
export interface RunFacts {
  id: string;
  threadId: string;
  /** `queued` where nothing of it has been executed yet. */
  status: string;
  createdAt: Date;
  /** `traceparent` of what asked for it, in whichever process that was; null when nobody said. */
  traceparent: string | null;
}

/** An event of a run that has become durable. */
export interface DurableEvent {
  threadId: string;
  runId: string;
  event: WatchedEvent;
}

/** What runs do in this process. Told by those who execute them and by the event log. */
@Injectable()
export class RunTelemetry {
  private readonly watches = new Map<string, RunWatch>();
  private readonly states: Counter<'state'>;
  private readonly firstEvent: Histogram;
  private readonly firstText: Histogram;
  private readonly duration: Histogram<'outcome'>;
  private readonly stages: Histogram<'stage'>;

  constructor(
    metrics: Metrics,
    private readonly tracing: Tracing,
  ) {
    this.states = metrics.counter(
      'steward_runs_total',
      'Runs that this process has brought into a state.',
      ['state'],
    );
    this.firstEvent = metrics.histogram(
      'steward_run_time_to_first_event_seconds',
      'From the acceptance of a run to the first event of its execution.',
      [],
    );
    this.firstText = metrics.histogram(
      'steward_run_time_to_first_text_seconds',
      'From the acceptance of a run to the first piece of its answer.',
      [],
    );
    this.duration = metrics.histogram(
      'steward_run_duration_seconds',
      'From the acceptance of a run to its terminal event.',
      ['outcome'],
    );
    this.stages = metrics.histogram(
      'steward_run_stage_duration_seconds',
      'Time that runs were in a stage; a stage may occur again in a run.',
      ['stage'],
    );
  }

  /** A run has got into a state, and that is committed. */
  reached(state: string): void {
    this.states.inc({ state });
  }

  /** A run has been accepted, and that is committed. */
  accepted({ status }: Pick<RunFacts, 'status'>): void {
    this.reached(status);
  }

  /** Executes a run: what `work` logs names it, and its events make its times. */
  async execute(run: RunFacts, work: () => Promise<void>): Promise<void> {
    const { id: runId, threadId, status, createdAt, traceparent } = run;
    const name = nameOf(threadId, runId);
    const trace = new RunTrace(this.tracing, run, readTraceparent(traceparent ?? undefined));
    const watch = new RunWatch(createdAt.getTime(), status === 'queued', this.observer(trace));
    this.watches.set(name, watch);
    try {
      await this.tracing.within(trace, () => inLogContext({ runId, threadId }, work));
    } finally {
      this.watches.delete(name);
      trace.close();
    }
  }

  /** Events have become durable. */
  notice(notices: readonly DurableEvent[]): void {
    for (const { threadId, runId, event } of notices) {
      this.watches.get(nameOf(threadId, runId))?.notice(event);
    }
  }

  private observer(trace: RunTrace): RunObserver {
    return {
      firstEvent: (seconds) => this.firstEvent.observe(seconds),
      firstText: (seconds) => this.firstText.observe(seconds),
      stageBegan: (stage, at) => trace.stageBegan(stage, at),
      stageEnded: (stage, at, seconds) => {
        trace.stageEnded(at);
        this.stages.observe({ stage }, seconds);
      },
      ended: (outcome, code, seconds) => {
        trace.ended(outcome, code);
        this.duration.observe({ outcome }, seconds);
      },
    };
  }
}

/** Ids of runs and threads have no space. */
function nameOf(threadId: string, runId: string): string {
  return `${threadId} ${runId}`;
}
