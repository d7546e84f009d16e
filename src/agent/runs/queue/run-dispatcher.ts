import { Inject, Injectable, Logger } from '@nestjs/common';
import { StewardError } from '../../../common/steward-error.js';
import { APP_CONFIG, type AppConfig } from '../../../config/app-config.js';
import { inLogContext } from '../../../logging/log-context.js';
import { RunTelemetry } from '../../../observability/run-telemetry.js';
import { ClaimedRuns } from '../execution/claimed-runs.js';
import { HeldRuns } from './held-runs.js';
import { RunLeaseRepository } from './run-lease.repository.js';
import { HandedOverError, INSTANCE_ID } from './run-leases.js';
import { RunPlaces } from './run-places.js';
import type { Assignment } from '../execution/assignment.js';
import { RunReleases } from './run-releases.js';
import { RunRunner } from '../execution/run-runner.js';
import { isActive } from '../run-state.js';
import { RunRepository } from '../run.repository.js';
import type { Run, RunKey } from '../run.js';

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
  /** Places of runs that are being stored. */
  private readonly reserved = new Set<() => void>();
  private readonly whenStored: (() => void)[] = [];

  constructor(
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    @Inject(INSTANCE_ID) private readonly instanceId: string,
    private readonly places: RunPlaces,
    private readonly held: HeldRuns,
    private readonly runs: RunRepository,
    private readonly leases: RunLeaseRepository,
    private readonly runner: RunRunner,
    private readonly claimed: ClaimedRuns,
    private readonly releases: RunReleases,
    private readonly telemetry: RunTelemetry,
  ) {}

  /**
   * A place for a run that is about to be stored: it is given back, or the run executed. A look that is
   * under way comes first: what it leaves free, nobody waits for.
   * @returns what gives it back; null when the run is to wait in the database.
   * @throws StewardError DEPENDENCY_UNAVAILABLE when the process is stopping.
   */
  async reserve(userId: string): Promise<(() => void) | null> {
    if (this.places.hasFor(userId)) await this.looking;
    if (this.stopping) {
      throw new StewardError('DEPENDENCY_UNAVAILABLE', 'The server is shutting down.', {
        retryAfterMs: 2_000,
      });
    }
    if (this.looking || !this.places.hasFor(userId)) return null;
    const giveBack = this.places.take(userId);
    const place = (): void => {
      this.noteStored(place);
      giveBack();
    };
    this.reserved.add(place);
    return place;
  }

  /** Executes a run that was stored as held by this process. @param place from `reserve`. */
  execute(assignment: Assignment, place: () => void): void {
    this.noteStored(place);
    // It is among those that `stop` hands over.
    if (this.stopping) return place();
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
   * @returns false when a process executes it, or this one stops.
   */
  async endUnheld(run: RunKey): Promise<boolean> {
    if (this.stopping || this.held.has(run)) return false;
    const { RUN_LEASE_SECONDS } = this.config;
    if (!(await this.leases.claim(run, this.instanceId, RUN_LEASE_SECONDS))) return false;
    this.begin(
      run,
      (claimed, controller) => this.claimed.end(claimed, controller),
      () => undefined,
    );
    return true;
  }

  /**
   * Claims nothing more, gives the runs of this process their time, and leaves those that have not
   * ended by then to others, also what was being stored when it stopped. Never rejects.
   */
  async stop(graceMs: number): Promise<void> {
    this.stopping = true;
    await this.looking;
    await this.held.drain(graceMs, new HandedOverError());
    if (this.reserved.size > 0) {
      await new Promise<void>((resolve) => {
        this.whenStored.push(resolve);
      });
    }
    await this.releases.releaseAll();
  }

  private noteStored(place: () => void): void {
    this.reserved.delete(place);
    if (this.reserved.size === 0) for (const resolve of this.whenStored.splice(0)) resolve();
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
      const run = await this.leases.claimNext(this.instanceId, this.config.RUN_LEASE_SECONDS, {
        held: this.held.runs,
        usersAtLimit,
      });
      if (!run) return;
      this.mayWait = true;
      this.begin(
        run,
        (claimed, controller) => this.claimed.execute(claimed, controller),
        this.places.take(run.userId),
      );
    }
  }

  private begin(
    key: RunKey,
    execute: (run: Run, controller: AbortController) => Promise<void>,
    place: () => void,
  ): void {
    const controller = new AbortController();
    this.start(key, controller, () => this.executeClaimed(key, controller, execute), place);
  }

  private async executeClaimed(
    key: RunKey,
    controller: AbortController,
    execute: (run: Run, controller: AbortController) => Promise<void>,
  ): Promise<void> {
    let run: Run | null;
    try {
      // Read while it is among those held: a cancel of before stands in the row, a later one aborts.
      run = await this.runs.find(key);
    } catch (error) {
      return this.releases.release(key, error, controller.signal);
    }
    if (run && isActive(run.status)) {
      const claimed = run;
      await this.telemetry.execute(claimed, () => execute(claimed, controller));
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
