import { Inject, Injectable, Logger } from '@nestjs/common';
import { StewardError } from '../../common/steward-error.js';
import { APP_CONFIG, type AppConfig } from '../../config/app-config.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { inLogContext } from '../../logging/log-context.js';
import { RunTelemetry } from '../../observability/run-telemetry.js';
import { ClaimedRuns } from './claimed-runs.js';
import { HeldRuns } from './held-runs.js';
import { HandedOverError, INSTANCE_ID } from './run-leases.js';
import { RunPlaces } from './run-places.js';
import type { Assignment } from './assignment.js';
import { RunRunner } from './run-runner.js';
import { isActive } from './run-state.js';
import { RunWakeups } from './run-wakeups.js';
import { RunRepository } from './run.repository.js';
import type { RunKey } from './run.js';

/**
 * Which runs this process executes. The queue is in the database; a run that is made here while there
 * is a free place and nobody looks for one is begun from memory, everything else is claimed.
 */
@Injectable()
export class RunDispatcher {
  private readonly logger = new Logger(RunDispatcher.name);
  private looking: Promise<void> | null = null;
  private lookAgain = false;
  /** Whether a run may wait that this process could not take when it last looked. */
  private mayWait = false;
  private stopping = false;

  constructor(
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    @Inject(INSTANCE_ID) private readonly instanceId: string,
    private readonly places: RunPlaces,
    private readonly held: HeldRuns,
    private readonly runs: RunRepository,
    private readonly runner: RunRunner,
    private readonly claimed: ClaimedRuns,
    private readonly wakeups: RunWakeups,
    private readonly uow: UnitOfWork,
    private readonly telemetry: RunTelemetry,
  ) {}

  /**
   * A place for a run that is about to be stored.
   * @returns what gives it back; null when the run is to wait in the database.
   * @throws StewardError DEPENDENCY_UNAVAILABLE when the process is stopping.
   */
  reserve(userId: string): (() => void) | null {
    if (this.stopping) {
      throw new StewardError('DEPENDENCY_UNAVAILABLE', 'The server is shutting down.', {
        retryAfterMs: 2_000,
      });
    }
    return this.looking || !this.places.hasFor(userId) ? null : this.places.take(userId);
  }

  /** Executes a run that was stored as held by this process. @param place from `reserve`. */
  execute(assignment: Assignment, place: () => void): void {
    if (this.stopping) {
      place();
      void this.handOver();
      return;
    }
    const controller = new AbortController();
    const { run } = assignment;
    const execute = () =>
      this.telemetry.execute(run, () => this.runner.execute(assignment, controller));
    this.start(run, controller, execute, place);
  }

  /** A run may wait: looks for it now, or as soon as there is a place. */
  wake(): void {
    this.mayWait = true;
    void this.look();
  }

  /**
   * This process alone was told of a run that waits. Which one is begun is decided as always.
   * @returns once the named one is not executed here any more; false when it still waits: there is no
   *   place, none for its user, others come first, or the database does not answer. Never rejects.
   */
  async takeUp(run: RunKey): Promise<boolean> {
    if (this.stopping || this.places.free === 0) return false;
    this.mayWait = true;
    await this.look();
    if (!this.held.has(run)) return !(await this.stillWaits(run));
    await this.held.ended(run);
    return true;
  }

  /** Claims runs in their order while there are places. Never rejects; looks do not overlap. */
  look(): Promise<void> {
    this.lookAgain = true;
    // No work of whoever's end or wish it was that made it look.
    this.looking ??= inLogContext({}, () => this.fill());
    return this.looking;
  }

  /** Stops a run of this process. False when it is not here. */
  abort(run: RunKey, reason: StewardError): boolean {
    return this.held.abort(run, reason);
  }

  /**
   * Takes up a run that nobody executes and that is to end: it was cancelled, or its credential has
   * ended. It only writes its end, so it needs no place.
   * @returns false when a process executes it.
   */
  async endUnheld(run: RunKey): Promise<boolean> {
    if (this.held.has(run)) return false;
    const { RUN_LEASE_SECONDS } = this.config;
    if (!(await this.runs.claim(run, this.instanceId, RUN_LEASE_SECONDS))) return false;
    this.begin(run, () => undefined);
    return true;
  }

  /**
   * Claims nothing more, gives the runs of this process their time, and leaves those that have not
   * ended by then to others. Never rejects.
   */
  async stop(graceMs: number): Promise<void> {
    this.stopping = true;
    await this.looking;
    await this.held.drain(graceMs, new HandedOverError());
    await this.handOver();
  }

  private async handOver(): Promise<void> {
    try {
      await this.uow.run(async () => {
        const left = await this.runs.release(this.instanceId);
        if (left === 0) return;
        this.logger.log(`${left} run(s) were handed over.`);
        await this.wakeups.announce();
      });
    } catch (error) {
      // They are taken up once their leases are over.
      this.logger.warn(`Runs could not be handed over: ${String(error)}`);
    }
  }

  private async stillWaits(run: RunKey): Promise<boolean> {
    try {
      return await this.runs.isUnheld(run);
    } catch {
      return true;
    }
  }

  private async fill(): Promise<void> {
    do {
      this.lookAgain = false;
      try {
        await this.claimAll();
      } catch (error) {
        this.mayWait = true;
        this.logger.warn(`Runs that wait could not be looked for: ${String(error)}`);
      }
    } while (this.lookAgain && !this.stopping);
    this.looking = null;
  }

  private async claimAll(): Promise<void> {
    while (this.places.free > 0 && !this.stopping) {
      const { usersAtLimit } = this.places;
      this.mayWait = usersAtLimit.length > 0;
      const run = await this.runs.claimNext(this.instanceId, this.config.RUN_LEASE_SECONDS, {
        held: this.held.runs,
        usersAtLimit,
      });
      if (!run) return;
      this.mayWait = true;
      this.begin(run, this.places.take(run.userId));
    }
  }

  private begin(run: RunKey, place: () => void): void {
    const controller = new AbortController();
    this.start(run, controller, () => this.executeClaimed(run, controller), place);
  }

  private async executeClaimed(key: RunKey, controller: AbortController): Promise<void> {
    try {
      // Read while it is among those held: a cancel of before stands in the row, a later one aborts.
      const run = await this.runs.find(key);
      if (!run || !isActive(run.status)) return;
      await this.telemetry.execute(run, () => this.claimed.execute(run, controller));
    } catch (error) {
      this.logger.warn(`Run ${key.id} was claimed and could not be read: ${String(error)}`);
    }
  }

  private start(
    run: RunKey,
    controller: AbortController,
    execute: () => Promise<void>,
    place: () => void,
  ): void {
    void this.held.start({ run, controller, execute }).finally(() => {
      place();
      if (this.mayWait && !this.stopping) void this.look();
    });
  }
}
