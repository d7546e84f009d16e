import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../database/unit-of-work.js';
import type { AuditKind } from './audit-entry.js';
import {
  ENTRY_COLUMNS,
  entryOf,
  SEAL_COLUMNS,
  sealOf,
  type ChainEntry,
  type EntryRow,
  type InboxRow,
  type SealRow,
} from './audit-rows.js';
import type { Seal } from './chain.js';

/** Which entries are meant; what is absent narrows nothing. */
export interface AuditFilter {
  kind?: AuditKind | undefined;
  actor?: string | undefined;
  subject?: string | undefined;
  runId?: string | undefined;
  /** ISO 8601 with an offset; from then on. */
  from?: string | undefined;
  /** ISO 8601; before then. */
  to?: string | undefined;
}

/** Key of the advisory lock that lets one process at a time change the chain. */
const CHAIN_LOCK = 7_203_148;

/** The tables of the audit's chain. Every method works in the current unit of work. */
@Injectable()
export class AuditLogRepository {
  constructor(private readonly uow: UnitOfWork) {}

  private get manager() {
    return this.uow.manager;
  }

  /** Whether this transaction may change the chain; no other one on any replica may then. */
  async tryLock(): Promise<boolean> {
    const [row] = await this.manager.query<{ locked: boolean }[]>(
      'SELECT pg_try_advisory_xact_lock($1) AS locked',
      [CHAIN_LOCK],
    );
    return row?.locked ?? false;
  }

  async inboxIsEmpty(): Promise<boolean> {
    const [row] = await this.manager.query<{ empty: boolean }[]>(
      'SELECT NOT EXISTS (SELECT FROM audit_inbox) AS empty',
    );
    return row?.empty ?? true;
  }

  /** The oldest rows of the inbox. */
  async inbox(limit: number): Promise<InboxRow[]> {
    return this.manager.query(
      `SELECT i.id, i.content, i.mac,
         (SELECT content FROM audit_entries e WHERE e.id = i.id LIMIT 1) AS "sealedContent"
       FROM audit_inbox i ORDER BY i.id LIMIT $1`,
      [limit],
    );
  }

  /** How many entries wait for their seal, and the text of the oldest. */
  async waiting(): Promise<{ count: number; oldest: string | null }> {
    const [row] = await this.manager.query<{ count: number; oldest: string | null }[]>(
      `SELECT count(*)::int AS count,
         (SELECT content FROM audit_inbox ORDER BY id LIMIT 1) AS oldest FROM audit_inbox`,
    );
    return row ?? { count: 0, oldest: null };
  }

  async removeFromInbox(ids: string[]): Promise<void> {
    await this.manager.query('DELETE FROM audit_inbox WHERE id = ANY($1)', [ids]);
  }

  async append(entries: ChainEntry[]): Promise<void> {
    const column = (of: (entry: ChainEntry) => unknown) => entries.map(of);
    await this.manager.query(
      `INSERT INTO audit_entries
         (seq, content, attested, prev_hash, hash, id, at, kind, actor, subject, run_id)
       SELECT * FROM unnest($1::bigint[], $2::text[], $3::boolean[], $4::text[], $5::text[],
         $6::text[], $7::timestamptz[], $8::text[], $9::text[], $10::text[], $11::text[])`,
      [
        column(({ seq }) => seq),
        column(({ content }) => content),
        column(({ attested }) => attested),
        column(({ prevHash }) => prevHash),
        column(({ hash }) => hash),
        column(({ columns }) => columns.id),
        column(({ columns }) => columns.at.toISOString()),
        column(({ columns }) => columns.kind),
        column(({ columns }) => columns.actor),
        column(({ columns }) => columns.subject),
        column(({ columns }) => columns.runId),
      ],
    );
  }

  async addSeal({ seq, kind, firstSeq, hash, sealedAt, kid, signature }: Seal): Promise<void> {
    await this.manager.query(
      `INSERT INTO audit_seals (seq, kind, first_seq, hash, sealed_at, kid, signature)
       VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      [seq, kind, firstSeq, hash, sealedAt, kid, signature],
    );
  }

  /** The newest seal, where the chain goes on; null of an empty one. */
  async head(): Promise<Seal | null> {
    return this.oneSeal('TRUE ORDER BY seq DESC, kind LIMIT 1', []);
  }

  /** The seal of the prefix that was removed. */
  async checkpoint(): Promise<Seal | null> {
    return this.oneSeal(`kind = 'checkpoint' ORDER BY seq DESC LIMIT 1`, []);
  }

  /** The last batch that ends behind `after`, not behind `through`, and was sealed before a time. */
  async lastBatch(after: number, through: number, sealedBefore: Date): Promise<Seal | null> {
    return this.oneSeal(
      `kind = 'batch' AND seq > $1 AND seq <= $2 AND sealed_at < $3 ORDER BY seq DESC LIMIT 1`,
      [after, through, sealedBefore],
    );
  }

  /** Entries behind `afterSeq` up to `throughSeq`, in order. */
  async entries(afterSeq: number, throughSeq: number, limit: number): Promise<ChainEntry[]> {
    const rows = await this.manager.query<EntryRow[]>(
      `SELECT ${ENTRY_COLUMNS} FROM audit_entries
       WHERE seq > $1 AND seq <= $2 ORDER BY seq LIMIT $3`,
      [afterSeq, throughSeq, limit],
    );
    return rows.map(entryOf);
  }

  /** The entry `seq`. */
  async entry(seq: number): Promise<ChainEntry | null> {
    return (await this.entries(seq - 1, seq, 1))[0] ?? null;
  }

  /**
   * Entries that a filter fits, behind `after` in ascending order or before `before` in descending
   * order; both bounds are no part of it.
   */
  async search(
    { kind, actor, subject, runId, from, to }: AuditFilter,
    bounds: { after: number; before: number; order: 'ASC' | 'DESC' },
    limit: number,
  ): Promise<ChainEntry[]> {
    const parameters: unknown[] = [bounds.after, bounds.before, limit];
    const conditions = ['seq > $1', 'seq < $2'];
    const where = (condition: string, value: unknown): void => {
      if (value !== undefined) conditions.push(`${condition} $${parameters.push(value)}`);
    };
    where('kind =', kind);
    where('actor =', actor);
    where('subject =', subject);
    where('run_id =', runId);
    // PostgreSQL knows fewer offsets than ISO 8601.
    where('at >=', from && new Date(from).toISOString());
    where('at <', to && new Date(to).toISOString());
    const rows = await this.manager.query<EntryRow[]>(
      `SELECT ${ENTRY_COLUMNS} FROM audit_entries WHERE ${conditions.join(' AND ')}
       ORDER BY seq ${bounds.order} LIMIT $3`,
      parameters,
    );
    return rows.map(entryOf);
  }

  /** Batches that end behind `afterSeq` and not behind `throughSeq`, in order. */
  async seals(afterSeq: number, throughSeq: number, limit: number): Promise<Seal[]> {
    const rows = await this.manager.query<SealRow[]>(
      `SELECT ${SEAL_COLUMNS} FROM audit_seals
       WHERE kind = 'batch' AND seq > $1 AND seq <= $2 ORDER BY seq LIMIT $3`,
      [afterSeq, throughSeq, limit],
    );
    return rows.map(sealOf);
  }

  /**
   * Removes what the newest checkpoint covers.
   * @returns how many entries went.
   */
  async removeCovered(checkpointSeq: number): Promise<number> {
    const [, removed] = await this.manager.query<[unknown, number]>(
      'DELETE FROM audit_entries WHERE seq <= $1',
      [checkpointSeq],
    );
    await this.manager.query(
      `DELETE FROM audit_seals WHERE seq < $1 OR (seq = $1 AND kind = 'batch')`,
      [checkpointSeq],
    );
    return removed;
  }

  private async oneSeal(condition: string, parameters: unknown[]): Promise<Seal | null> {
    const [row] = await this.manager.query<SealRow[]>(
      `SELECT ${SEAL_COLUMNS} FROM audit_seals WHERE ${condition}`,
      parameters,
    );
    return row ? sealOf(row) : null;
  }
}
