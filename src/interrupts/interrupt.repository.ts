import { Injectable } from '@nestjs/common';
import { IsNull, MoreThan, Not, type FindOptionsWhere } from 'typeorm';
import type { TimeCursor } from '../common/time-cursor.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { InterruptEntity } from './entities/interrupt.entity.js';
import type { Interrupt, InterruptKind, InterruptStatus } from './interrupt.js';

/** A call outside of runs, as its session may ask for it again. */
export interface SessionCall {
  userId: string;
  credentialJti: string;
  kind: InterruptKind;
  hash: string;
}

/** What a list is narrowed to. */
export interface InterruptFilter {
  threadId?: string | undefined;
  status?: InterruptStatus | undefined;
}

const OLDEST_FIRST = { createdAt: 'ASC', id: 'ASC' } as const;
/** Distinguishes the advisory lock from those of others. */
const OUTSIDE_RUNS_LOCK = 0x61736b73;
const FOR_UPDATE = { mode: 'pessimistic_write' } as const;

/** An interrupt that nobody has answered yet. */
export type NewInterrupt = Omit<Interrupt, 'status' | 'consumedAt' | keyof Resolution>;

/** What an answer changes. */
export type Resolution = Pick<
  Interrupt,
  'status' | 'response' | 'grantedInput' | 'grantedHash' | 'resolvedAt' | 'resolvedRunId'
>;

/** Rows of `interrupts`. */
@Injectable()
export class InterruptRepository {
  constructor(private readonly uow: UnitOfWork) {}

  private get rows() {
    return this.uow.manager.getRepository(InterruptEntity);
  }

  /** Inserts a pending one, unless its call waits already. */
  async insertIfAbsent(interrupt: NewInterrupt): Promise<boolean> {
    const rows = await this.uow.manager.query<{ id: string }[]>(
      `INSERT INTO interrupts (id, user_id, thread_id, run_id, credential_jti, tool_call_id, profile,
         kind, module, method, input, input_hash, rule, message, response_schema, status, created_at,
         expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, 'pending', $16, $17)
       ON CONFLICT DO NOTHING RETURNING id`,
      [
        interrupt.id,
        interrupt.userId,
        interrupt.threadId,
        interrupt.runId,
        interrupt.credentialJti,
        interrupt.toolCallId,
        interrupt.profile,
        interrupt.kind,
        interrupt.module,
        interrupt.method,
        JSON.stringify(interrupt.input),
        interrupt.inputHash,
        interrupt.rule,
        interrupt.message,
        JSON.stringify(interrupt.responseSchema),
        interrupt.createdAt,
        interrupt.expiresAt,
      ],
    );
    return rows.length > 0;
  }

  find(userId: string, id: string): Promise<Interrupt | null> {
    return this.rows.findOneBy({ userId, id });
  }

  lock(userId: string, id: string): Promise<Interrupt | null> {
    return this.rows.findOne({ where: { userId, id }, lock: FOR_UPDATE });
  }

  /** The interrupt that a run's call has raised. */
  raisedBy(userId: string, runId: string, toolCallId: string): Promise<Interrupt | null> {
    return this.rows.findOneBy({ userId, runId, toolCallId });
  }

  /**
   * What a person answered for the call of a run that resumes with it.
   * @param used also what the call has used up.
   */
  resolvedFor(
    call: Pick<Interrupt, 'userId' | 'toolCallId'> & { resolvedRunId: string },
    used: boolean,
  ): Promise<Interrupt[]> {
    return this.rows.find({
      where: { ...call, ...(!used && { consumedAt: IsNull() }) },
      order: OLDEST_FIRST,
    });
  }

  /** What was asked in a session for this call, or granted for it; not what was used already. */
  ofSession({ userId, credentialJti, kind, hash }: SessionCall): Promise<Interrupt[]> {
    const session = { userId, credentialJti, kind, runId: IsNull(), consumedAt: IsNull() };
    return this.rows.find({
      where: [
        { ...session, grantedHash: hash },
        { ...session, inputHash: hash },
      ],
      order: OLDEST_FIRST,
    });
  }

  /** Lets nobody else store what a call of the user asks outside of runs before the transaction ends. */
  async lockOutsideRuns(userId: string): Promise<void> {
    await this.uow.manager.query('SELECT pg_advisory_xact_lock(hashtextextended($1, $2))', [
      userId,
      OUTSIDE_RUNS_LOCK,
    ]);
  }

  /** Those whose time is over do not count, whether or not the sweeper has noted it. */
  countPendingOutsideRuns(userId: string, now: Date): Promise<number> {
    const expiresAt = MoreThan(now);
    return this.rows.countBy({ userId, runId: IsNull(), status: 'pending', expiresAt });
  }

  openOfRun(userId: string, runId: string): Promise<Interrupt[]> {
    return this.open({ userId, runId });
  }

  /** Everything that the calls of a run have asked. */
  ofRun(userId: string, runId: string): Promise<Interrupt[]> {
    return this.rows.find({ where: { userId, runId }, order: OLDEST_FIRST });
  }

  openOfThread(userId: string, threadId: string): Promise<Interrupt[]> {
    return this.open({ userId, threadId, runId: Not(IsNull()) });
  }

  lockOpenOfRun(userId: string, runId: string): Promise<Interrupt[]> {
    return this.open({ userId, runId }, true);
  }

  lockOpenOfThread(userId: string, threadId: string): Promise<Interrupt[]> {
    return this.open({ userId, threadId, runId: Not(IsNull()) }, true);
  }

  async resolve(id: string, resolution: Resolution): Promise<void> {
    await this.uow.manager.query(
      `UPDATE interrupts SET status = $2, response = $3, granted_input = $4, granted_hash = $5,
         resolved_at = $6, resolved_run_id = $7 WHERE id = $1`,
      [
        id,
        resolution.status,
        resolution.response && JSON.stringify(resolution.response),
        resolution.grantedInput && JSON.stringify(resolution.grantedInput),
        resolution.grantedHash,
        resolution.resolvedAt,
        resolution.resolvedRunId,
      ],
    );
  }

  /**
   * Uses up what a person granted; in the transaction of the call that it lets through.
   * @returns false when it is used up, or was not granted for this input.
   */
  async consume(userId: string, id: string, hash: string, now: Date): Promise<boolean> {
    const { affected } = await this.rows
      .createQueryBuilder()
      .update()
      .set({ consumedAt: now })
      .where('id = :id AND user_id = :userId AND granted_hash = :hash', { id, userId, hash })
      .andWhere(`consumed_at IS NULL AND status IN ('approved', 'answered', 'declined')`)
      .execute();
    return affected === 1;
  }

  /** Newest first, behind `cursor`. */
  page(
    userId: string,
    { threadId, status }: InterruptFilter,
    cursor: TimeCursor | null,
    limit: number,
    now: Date,
  ): Promise<Interrupt[]> {
    const query = this.rows
      .createQueryBuilder('i')
      .where('i.user_id = :userId', { userId })
      .orderBy('i.createdAt', 'DESC')
      .addOrderBy('i.id', 'DESC')
      .limit(limit);
    if (threadId !== undefined) query.andWhere('i.thread_id = :threadId', { threadId });
    // Time may be over before the sweeper has noted it.
    if (status === 'pending') {
      query.andWhere(`i.status = 'pending' AND i.expires_at > :now`, { now });
    } else if (status === 'expired') {
      query.andWhere(`(i.status = 'expired' OR (i.status = 'pending' AND i.expires_at <= :now))`, {
        now,
      });
    } else if (status !== undefined) query.andWhere('i.status = :status', { status });
    if (cursor) {
      query.andWhere('(i.created_at, i.id) < (:createdAt::timestamptz, :id)', {
        createdAt: cursor.at.toISOString(),
        id: cursor.id,
      });
    }
    return query.getMany();
  }

  /** Notes that time is over for at most `limit` rows. @returns how many there were. */
  async expire(now: Date, limit: number): Promise<number> {
    return this.count(
      `WITH due AS (
         SELECT id FROM interrupts WHERE status = 'pending' AND expires_at <= $1
         ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED)
       UPDATE interrupts i SET status = 'expired' FROM due WHERE i.id = due.id RETURNING i.id`,
      [now, limit],
    );
  }

  /** Removes at most `limit` rows outside of runs, which no thread takes with it. */
  async deleteSessionsBefore(before: Date, limit: number): Promise<number> {
    return this.count(
      `WITH old AS (
         SELECT id FROM interrupts WHERE run_id IS NULL AND expires_at < $1
         ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED)
       DELETE FROM interrupts i USING old WHERE i.id = old.id RETURNING i.id`,
      [before, limit],
    );
  }

  private open(where: FindOptionsWhere<InterruptEntity>, lock = false): Promise<Interrupt[]> {
    return this.rows.find({
      where: { ...where, resolvedAt: IsNull() },
      order: OLDEST_FIRST,
      ...(lock && { lock: FOR_UPDATE }),
    });
  }

  private async count(sql: string, parameters: unknown[]): Promise<number> {
    const [, affected] = await this.uow.manager.query<[unknown[], number]>(sql, parameters);
    return affected;
  }
}
