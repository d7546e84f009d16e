import { Inject, Injectable, Logger } from '@nestjs/common';
import { stopwatch } from '../../../common/stopwatch.js';
import { StewardError } from '../../../common/steward-error.js';
import { APP_CONFIG, type AppConfig } from '../../../config/app-config.js';
import { withoutStatementSignal } from '../../../database/statement-signal.js';
import { inLogContext } from '../../../logging/log-context.js';
import { ClaimGate } from './claim-gate.js';
import { HeldRuns } from './held-runs.js';
import { RunBeginnings } from './run-beginnings.js';
import { RunLeaseRepository } from './run-lease.repository.js';
import { HandedOverError, INSTANCE_ID } from './run-leases.js';
import { RunPlaces } from './run-places.js';
import type { Assignment } from '../execution/assignment.js';
import { RunReleases } from './run-releases.js';
import { RunStarts } from './run-starts.js';
import { RunRepository } from '../run.repository.js';
import type { RunKey } from '../run.js';

/** A place that a run gets which is being stored. */
export interface ReservedPlace {
  /** The run is stored. */
  stored: () => void;
  /** Nothing is executed in it, or no more. */
  giveBack: () => void;
  /** Milliseconds since it was reserved: no lease of a run that was stored for it began before. */
  age: () => number;
}

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
  private readonly beginnings = new RunBeginnings();

  constructor(
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    @Inject(INSTANCE_ID) private readonly instanceId: string,
    private readonly places: RunPlaces,
    private readonly gate: ClaimGate,
    private readonly held: HeldRuns,
    private readonly runs: RunRepository,
    private readonly leases: RunLeaseRepository,
    private readonly starts: RunStarts,
    private readonly releases: RunReleases,
  ) {}

  /**
   * A place for a run that is about to be stored: it is given back, or the run executed. A look that is
   * under way comes first: what it leaves free, nobody waits for.
   * @returns null when the run is to wait in the database.
   * @throws StewardError DEPENDENCY_UNAVAILABLE when the process is stopping.
   */
  async reserve(userId: string): Promise<ReservedPlace | null> {
    if (this.places.hasFor(userId)) await this.looking;
    if (this.stopping) {
      throw new StewardError('DEPENDENCY_UNAVAILABLE', 'The server is shutting down.', {
        retryAfterMs: 2_000,
      });
    }
    if (this.looking || !this.places.hasFor(userId)) return null;
    const giveBack = this.places.take(userId);
    const stored = this.beginnings.begin();
    return {
      stored,
      age: stopwatch(),
      giveBack: () => {
        stored();
        giveBack();
      },
    };
  }

  /** Executes a run that was stored as held by this process. @param place from `reserve`. */
  execute(assignment: Assignment, { stored, giveBack, age }: ReservedPlace): void {
    stored();
    // It is among those that `stop` hands over.
    if (this.stopping) return giveBack();
    // Its lease may be over, so that anybody may have claimed it since, this process too.
    if (age() >= this.config.RUN_LEASE_SECONDS * 1_000) {
      giveBack();
      return this.wake();
    }
    void this.starts.stored(assignment).finally(() => this.vacate(giveBack));
  }

  /** A run may wait: looks for it now, or as soon as there is a place. */
  wake(): void {
    this.mayWait = true;
    void this.look();
  }

  /**
   * This process alone was told of a run that waits. Which one is begun is decided as always.
   * @returns once the named one is not executed here any more; false when it still waits: there is no
   *   place, none for its user, others come first, nobody executes its calls for now, or the database does
   *   not answer. Never rejects.
   */
  async takeUp(run: RunKey): Promise<boolean> {
    if (this.stopping || this.places.free === 0) return false;
    this.mayWait = true;
    await this.look();
    if (!this.held.has(run)) return !(await this.stillWaits(run));
    await this.held.ended(run);
    return true;
  }

  /**
   * Claims runs in their order while there are places, and somebody who executes their calls. Never
   * rejects; looks do not overlap.
   */
  look(): Promise<void> {
    this.lookAgain = true;
    // No work of whoever's end or wish it was that made it look.
    this.looking ??= inLogContext({}, () => withoutStatementSignal(() => this.fill()));
    return this.looking;
  }

  /** Whether this process executes the run. */
  holds(run: RunKey): boolean {
    return this.held.has(run);
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
    const claimed = this.beginnings.begin();
    try {
      const { RUN_LEASE_SECONDS } = this.config;
      if (!(await this.leases.claim(run, this.instanceId, RUN_LEASE_SECONDS))) return false;
      // It is among those that `stop` hands over.
      if (this.stopping) return false;
      void this.starts.ended(run).finally(() => this.vacate());
      return true;
    } finally {
      claimed();
    }
  }

  /**
   * Claims nothing more, gives the runs of this process their time, and leaves those that have not
   * ended by then to others, also what was being stored or claimed when it stopped. Never rejects.
   */
  async stop(graceMs: number): Promise<void> {
    this.stopping = true;
    await this.looking;
    await this.held.drain(graceMs, new HandedOverError());
    await this.beginnings.over();
    await this.releases.releaseAll();
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
      if (!(await this.gate.mayClaim())) {
        this.mayWait = true;
        return;
      }
      if (this.stopping) return;
      const { usersAtLimit } = this.places;
      this.mayWait = usersAtLimit.length > 0;
      const run = await this.leases.claimNext(this.instanceId, this.config.RUN_LEASE_SECONDS, {
        held: this.held.runs,
        usersAtLimit,
      });
      if (!run) return;
      this.mayWait = true;
      const giveBack = this.places.take(run.userId);
      void this.starts.claimed(run).finally(() => this.vacate(giveBack));
    }
  }

  /** A run does no more here, and has given its place back. */
  private vacate(giveBack?: () => void): void {
    giveBack?.();
    if (this.mayWait && !this.stopping) void this.look();
  }
}
