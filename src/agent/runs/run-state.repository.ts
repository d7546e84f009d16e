import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { UnitOfWork } from '../../database/unit-of-work.js';
import type { TokenUsage } from '../../events/run-event.js';
import { RunTelemetry } from '../../observability/run-telemetry.js';
import type { CountedCalls } from '../loop/call-guard.js';
import type { OpenCall } from './open-call.js';
import { RunEntity } from './run.entity.js';
import { ACTIVE_STATUSES, sourcesOf, type FinalStatus, type RunStatus } from './run-state.js';
import type { RunKey } from './run.js';

/** Steps of runs from one state to the next, in their rows; each is made once, whoever tries. */
@Injectable()
export class RunStateRepository {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly telemetry: RunTelemetry,
  ) {}

  private get rows() {
    return this.uow.manager.getRepository(RunEntity);
  }

  /**
   * The step of the state machine, made by the process that holds the run.
   * @returns false when the run is not in a state that allows it, or is held by another process.
   */
  async transition(
    { userId, id }: RunKey,
    instanceId: string,
    to: 'running' | FinalStatus,
    facts: { at: Date; startEventId: number | null; errorCode?: string; usage?: TokenUsage | null },
  ): Promise<boolean> {
    const { startEventId } = facts;
    const { affected } = await this.rows.update(
      { userId, id, instanceId, status: In(heldSources(to)) },
      to === 'running'
        ? { status: to, startEventId, startedAt: facts.at }
        : {
            status: to,
            startEventId,
            finishedAt: facts.at,
            errorCode: facts.errorCode ?? null,
            usage: facts.usage ?? null,
          },
    );
    return this.told(affected === 1, to);
  }

  /**
   * The step to `waiting`, made by the process that holds the run and does no more from here on.
   * @returns false as `transition`, and when the run is to be cancelled.
   */
  async suspend(
    { userId, id }: RunKey,
    instanceId: string,
    facts: {
      startEventId: number;
      usage: TokenUsage | null;
      openCalls: OpenCall[];
      waitingUntil: Date;
      countedCalls: CountedCalls;
    },
  ): Promise<boolean> {
    // By hand: the type of a call's input, which has no end, is more than the builder's types bear.
    const [, affected] = await this.uow.manager.query<[unknown[], number]>(
      `UPDATE agent_runs SET status = 'waiting', start_event_id = $4, usage = $5, open_calls = $6,
         waiting_until = $7, counted_calls = $9
       WHERE user_id = $1 AND id = $2 AND instance_id = $3 AND status = ANY ($8::text[])
         AND NOT cancel_requested`,
      [
        userId,
        id,
        instanceId,
        facts.startEventId,
        facts.usage && JSON.stringify(facts.usage),
        JSON.stringify(facts.openCalls),
        facts.waitingUntil,
        heldSources('waiting'),
        JSON.stringify(facts.countedCalls),
      ],
    );
    return this.told(affected === 1, 'waiting');
  }

  /** The step out of `waiting`, which no process holds. @returns false when it does not wait any more. */
  async leaveWaiting(
    { userId, id }: RunKey,
    to: FinalStatus,
    facts: { at: Date; errorCode?: string },
  ): Promise<boolean> {
    const { affected } = await this.rows.update(
      { userId, id, status: 'waiting' },
      { status: to, finishedAt: facts.at, errorCode: facts.errorCode ?? null },
    );
    return this.told(affected === 1, to);
  }

  /** Notes that the run is to be cancelled, for whoever executes it. False once it has ended. */
  async requestCancel({ userId, id }: RunKey): Promise<boolean> {
    const { affected } = await this.rows.update(
      { userId, id, status: In([...ACTIVE_STATUSES]) },
      { cancelRequested: true },
    );
    return affected === 1;
  }

  /** Counts a step once it has committed. @returns whether it was made. */
  private told(made: boolean, to: RunStatus): boolean {
    if (made) this.uow.afterCommit(() => this.telemetry.reached(to));
    return made;
  }
}

/** The states from which the process that holds a run may bring it to `to`. */
function heldSources(to: RunStatus): RunStatus[] {
  return sourcesOf(to).filter((status) => status !== 'waiting');
}
