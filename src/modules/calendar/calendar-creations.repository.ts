import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../database/unit-of-work.js';
import type { CreateBatchView, CreatedEventView } from './dto/write-output.dto.js';

export type Creation = CreatedEventView | CreateBatchView;

/** How long a key is remembered. */
const KEPT = `interval '30 days'`;

/** Creations under an idempotency key, and what they answered. */
@Injectable()
export class CalendarCreationsRepository {
  constructor(private readonly uow: UnitOfWork) {}

  /**
   * Takes the key for this transaction; waits for another that is just using it.
   * @returns null when the key is new, else what the creation under it was.
   */
  async begin(
    ownerId: string,
    key: string,
    fingerprint: string,
    now: Date,
  ): Promise<{ fingerprint: string; result: Creation | null } | null> {
    const { manager } = this.uow;
    await manager.query(
      `DELETE FROM calendar_creations WHERE ctid IN (
         SELECT ctid FROM calendar_creations WHERE created_at < $1::timestamptz - ${KEPT}
          ORDER BY created_at LIMIT 100 FOR UPDATE SKIP LOCKED)`,
      [now],
    );
    const taken = await manager.query<unknown[]>(
      `INSERT INTO calendar_creations (owner_id, key, fingerprint, created_at)
       VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING RETURNING key`,
      [ownerId, key, fingerprint, now],
    );
    if (taken.length > 0) return null;
    const [row] = await manager.query<{ fingerprint: string; result: Creation | null }[]>(
      'SELECT fingerprint, result FROM calendar_creations WHERE owner_id = $1 AND key = $2',
      [ownerId, key],
    );
    return row ?? { fingerprint, result: null };
  }

  async finish(ownerId: string, key: string, result: Creation): Promise<void> {
    await this.uow.manager.query(
      'UPDATE calendar_creations SET result = $3 WHERE owner_id = $1 AND key = $2',
      [ownerId, key, JSON.stringify(result)],
    );
  }
}

/** The same for inputs that say the same, whatever the order of their members. */
export function fingerprintOf(input: object): string {
  return createHash('sha256')
    .update(JSON.stringify(inOrder(input)))
    .digest('hex');
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, inOrder(member)]),
  );
}
