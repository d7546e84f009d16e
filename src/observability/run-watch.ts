/** As much of a run's event as times are made of; `timestamp` in milliseconds. */
export interface WatchedEvent {
  type: string;
  timestamp: number;
  stepName?: string;
  outcome?: string;
  code?: string;
}

/** Hears what a run does, in order; times in seconds, `at` in milliseconds. */
export interface RunObserver {
  /** The first event of its execution. @param seconds since the run was accepted. */
  firstEvent(seconds: number): void;
  /** The first piece of an answer. @param seconds since the run was accepted. */
  firstText(seconds: number): void;
  stageBegan(stage: string, at: number): void;
  stageEnded(stage: string, at: number, seconds: number): void;
  /**
   * The terminal event.
   * @param outcome `success`, `interrupt`, `pending` or `cancelled`; `error`, with its code.
   * @param seconds since the run was accepted.
   */
  ended(outcome: string, code: string | null, seconds: number): void;
}

/**
 * Makes times of a run's events (PROTOCOL §12), as they become durable. A run that another process
 * had begun has had its firsts there.
 */
export class RunWatch {
  private stage: { name: string; since: number } | null = null;
  private begun: boolean;
  private spoken: boolean;

  /**
   * @param acceptedAt when the run was accepted, in milliseconds.
   * @param fresh whether nothing of it has been executed yet.
   */
  constructor(
    private readonly acceptedAt: number,
    fresh: boolean,
    private readonly observer: RunObserver,
  ) {
    this.begun = !fresh;
    this.spoken = !fresh;
  }

  notice(event: WatchedEvent): void {
    const { type, timestamp } = event;
    // It tells that the run was accepted, and is written with that.
    if (type === 'RUN_STARTED') return;
    if (!this.begun) {
      this.begun = true;
      this.observer.firstEvent(this.since(timestamp));
    }
    if (type === 'STEP_STARTED' && event.stepName !== undefined) {
      this.stage = { name: event.stepName, since: timestamp };
      this.observer.stageBegan(event.stepName, timestamp);
    } else if (type === 'STEP_FINISHED') this.leaveStage(timestamp);
    else if (type === 'TEXT_MESSAGE_CONTENT' && !this.spoken) {
      this.spoken = true;
      this.observer.firstText(this.since(timestamp));
    } else if (type === 'RUN_FINISHED') {
      this.observer.ended(event.outcome ?? 'success', null, this.since(timestamp));
    } else if (type === 'RUN_ERROR') {
      this.observer.ended('error', event.code ?? 'INTERNAL', this.since(timestamp));
    }
  }

  private leaveStage(at: number): void {
    const { stage } = this;
    if (!stage) return;
    this.stage = null;
    this.observer.stageEnded(stage.name, at, seconds(at - stage.since));
  }

  private since(at: number): number {
    return seconds(at - this.acceptedAt);
  }
}

/** Clocks of two processes may differ by a little. */
function seconds(ms: number): number {
  return Math.max(0, ms) / 1000;
}
