import { Inject, Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { UnitOfWork } from '../../../database/unit-of-work.js';
import { RunLostError } from '../../../events/run-lost-error.js';
import type { UsedBriefing } from '../../briefing-source.js';
import type { UsedContext } from '../../context/context-window.js';
import { INSTANCE_ID } from '../queue/run-leases.js';
import { RunEntity } from '../run.entity.js';
import { ACTIVE_STATUSES } from '../run-state.js';
import type { Run, RunKey } from '../run.js';

/** How far a run has come, as far as its events do not say it. */
export type RunProgress = Pick<Run, 'turns' | 'usage' | 'unreportedTokens' | 'refusedCalls'>;

type Note = RunProgress | Pick<Run, 'briefing'> | Pick<Run, 'context'>;

/**
 * What the process that executes a run notes in its row. Every note is of the holder: one that has lost
 * the run, and need not know it yet, changes nothing of what the next one notes.
 */
@Injectable()
export class RunNotesRepository {
  constructor(
    private readonly uow: UnitOfWork,
    @Inject(INSTANCE_ID) private readonly instanceId: string,
  ) {}

  /**
   * Notes what the run's model is told of the person, before it is.
   * @throws RunLostError when another process holds the run, or it has ended.
   */
  noteBriefing(run: RunKey, briefing: UsedBriefing): Promise<void> {
    return this.note(run, { briefing });
  }

  /**
   * Notes that a turn has ended; in the transaction of the event that ends it.
   * @throws as `noteBriefing`.
   */
  noteTurn(run: RunKey, progress: RunProgress): Promise<void> {
    return this.note(run, progress);
  }

  /**
   * Notes what of its thread the run's model is shown, before it is.
   * @throws as `noteBriefing`.
   */
  noteContext(run: RunKey, context: UsedContext): Promise<void> {
    return this.note(run, { context });
  }

  // A claim that commits while this waits for the row is seen: the condition is looked at again.
  private async note({ userId, id }: RunKey, facts: Note): Promise<void> {
    const { instanceId } = this;
    const { affected } = await this.uow.manager
      .getRepository(RunEntity)
      .update({ userId, id, instanceId, status: In([...ACTIVE_STATUSES]) }, facts);
    if (affected !== 1) throw new RunLostError();
  }
}
