import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../database/unit-of-work.js';
import { WhitelistVersionEntity } from './entities/whitelist-version.entity.js';
import type { WhitelistDocument } from './policy.js';

/** Versions of the whitelist, table `whitelist_versions`. */
@Injectable()
export class WhitelistRepository {
  constructor(private readonly uow: UnitOfWork) {}

  /** The version in force; null before the first. Its document is as stored, read by nobody yet. */
  async latest(): Promise<WhitelistVersionEntity | null> {
    const [row] = await this.uow.manager
      .getRepository(WhitelistVersionEntity)
      .find({ order: { version: 'DESC' }, take: 1 });
    return row ?? null;
  }

  /** The number of the version in force, 0 before the first: one look at an index. */
  async newest(): Promise<number> {
    const [row] = await this.uow.manager.query<{ newest: number }[]>(
      'SELECT coalesce(max(version), 0) AS newest FROM whitelist_versions',
    );
    return row?.newest ?? 0;
  }

  /**
   * Adds the version after `previous`.
   * @returns false when another one has been added in the meantime.
   */
  async append(
    previous: number,
    document: WhitelistDocument,
    createdBy: string | null,
    createdAt: Date,
  ): Promise<boolean> {
    const rows = await this.uow.manager.query<{ version: number }[]>(
      `INSERT INTO whitelist_versions (version, document, created_by, created_at)
       SELECT $1::integer + 1, $2::jsonb, $3, $4
       WHERE $1::integer = (SELECT coalesce(max(version), 0) FROM whitelist_versions)
       ON CONFLICT (version) DO NOTHING
       RETURNING version`,
      [previous, JSON.stringify(document), createdBy, createdAt],
    );
    return rows.length > 0;
  }
}
