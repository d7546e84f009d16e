import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { OWN_ID } from '../common/ids.js';
import { StewardError } from '../common/steward-error.js';
import { decodeTimeCursor, encodeTimeCursor } from '../common/time-cursor.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { AnswerReader, type InterruptAnswer } from './answer-reader.js';
import { alreadyResolved, notFound } from './interrupt-errors.js';
import { InterruptResolution } from './interrupt-resolution.js';
import { statusAt, type Interrupt } from './interrupt.js';
import { InterruptRepository, type InterruptFilter } from './interrupt.repository.js';

/** What waits for a person, wherever it was asked; and the answers to what was asked outside of runs. */
@Injectable()
export class PersonalInterrupts {
  constructor(
    private readonly interrupts: InterruptRepository,
    private readonly answers: AnswerReader,
    private readonly resolution: InterruptResolution,
    private readonly uow: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Newest first. @throws StewardError INVALID_ACTION_INPUT for a cursor that was not given out. */
  async list(
    userId: string,
    filter: InterruptFilter,
    { limit, cursor }: { limit: number; cursor: string | undefined },
  ): Promise<{ interrupts: Interrupt[]; nextCursor: string | null }> {
    const start = cursor === undefined ? null : decodeTimeCursor(cursor, OWN_ID);
    const now = this.clock.now();
    const found = await this.interrupts.page(userId, filter, start, limit + 1, now);
    const interrupts = found.slice(0, limit);
    const last = interrupts.at(-1);
    const nextCursor =
      found.length > limit && last ? encodeTimeCursor({ at: last.createdAt, id: last.id }) : null;
    return { interrupts, nextCursor };
  }

  /** @throws StewardError NOT_FOUND. */
  async read(userId: string, id: string): Promise<Interrupt> {
    const interrupt = await this.interrupts.find(userId, id);
    if (!interrupt) throw notFound(id);
    return interrupt;
  }

  /**
   * Answers an interrupt of a call outside of runs. The agent repeats its call afterwards.
   * @throws StewardError NOT_FOUND, CONFLICT when it belongs to a run, is resolved already or its
   * time is over, INVALID_ACTION_INPUT.
   */
  resolveOutsideRuns(userId: string, id: string, answer: InterruptAnswer): Promise<Interrupt> {
    return this.uow.run(async () => {
      const interrupt = await this.interrupts.lock(userId, id);
      if (!interrupt) throw notFound(id);
      if (interrupt.runId !== null) {
        const how = 'POST /agent/runs with "resume" answers it and goes on with the run.';
        throw new StewardError('CONFLICT', `${id} belongs to a run: ${how}`);
      }
      const status = statusAt(interrupt, this.clock.now());
      if (status === 'expired') {
        throw new StewardError('CONFLICT', `The time to answer ${id} is over.`);
      }
      if (status !== 'pending') throw alreadyResolved(interrupt);
      return this.resolution.resolve(
        interrupt,
        await this.answers.read(interrupt, answer, ''),
        null,
      );
    });
  }
}
