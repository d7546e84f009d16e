import { Inject, Injectable } from '@nestjs/common';
import { within } from '../common/within.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { OBJECT_STORE, type ObjectStore } from '../object-store/object-store.js';
import { OutputRowRepository } from './output-row.repository.js';

/** First segment of the keys of attachments; those of records begin with RECORD_ROOT. */
export const ATTACHMENT_ROOT = 'attachments';

/** Keys that are deleted in one go. */
const BATCH = 200;
/** Milliseconds that the store gets for a batch; nobody waits for it. */
const TIMEOUT_MS = 30_000;

/**
 * Objects that are to be deleted, table `object_deletions`. A key is noted in the transaction in
 * which its rows go (the database's own triggers do that), and stands there until the object is gone.
 */
@Injectable()
export class ObjectDeletions {
  constructor(
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    private readonly uow: UnitOfWork,
    private readonly rows: OutputRowRepository,
  ) {}

  /**
   * Notes keys whose objects nobody needs any more; with the current transaction, if there is one.
   * @param delaySeconds how long their objects stay at least: whoever writes an object before the row
   *   that refers to it notes its key first, and withdraws it together with the row.
   */
  async request(keys: string[], delaySeconds = 0): Promise<void> {
    await this.uow.manager.query(
      `INSERT INTO object_deletions (key, next_attempt_at)
       SELECT unnest($1::text[]), now() + make_interval(secs => $2) ON CONFLICT DO NOTHING`,
      [keys, delaySeconds],
    );
  }

  /** The objects are needed after all; with the current transaction, if there is one. */
  async withdraw(keys: string[]): Promise<void> {
    await this.uow.manager.query('DELETE FROM object_deletions WHERE key = ANY($1::text[])', [
      keys,
    ]);
  }

  /**
   * Deletes what is due, a batch at most. A key that some row refers to is left alone.
   * @returns how many keys are settled; 0 when nothing is due.
   * @throws StewardError when the store does not do it; it is tried again later, later each time.
   */
  async collect(): Promise<number> {
    const due = await this.uow.manager.query<{ key: string }[]>(
      `SELECT key FROM object_deletions WHERE next_attempt_at <= now()
       ORDER BY next_attempt_at LIMIT $1`,
      [BATCH],
    );
    if (due.length === 0) return 0;
    const keys = due.map(({ key }) => key);
    try {
      const unreferenced = await this.rows.unreferenced(keys);
      await within(TIMEOUT_MS, () => this.store.delete(unreferenced));
    } catch (error) {
      await this.postpone(keys);
      throw error;
    }
    await this.withdraw(keys);
    return keys.length;
  }

  private async postpone(keys: string[]): Promise<void> {
    await this.uow.manager.query(
      `UPDATE object_deletions SET attempts = attempts + 1,
         next_attempt_at = now() + least(interval '1 hour', interval '15 s' * power(2, least(attempts, 8)))
       WHERE key = ANY($1::text[])`,
      [keys],
    );
  }
}
