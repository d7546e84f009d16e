import { Injectable } from '@nestjs/common';
import { LessThan } from 'typeorm';
import { UnitOfWork } from '../database/unit-of-work.js';
import { WhitelistVersionEntity } from './entities/whitelist-version.entity.js';

/** A version without its document, as lists show it. */
export type VersionSummary = Omit<WhitelistVersionEntity, 'document'>;

/** Versions of the whitelist, table `whitelist_versions`. Documents are as stored, read by nobody yet. */
@Injectable()
export class WhitelistRepository {
  constructor(private readonly uow: UnitOfWork) {}

  private get versions() {
    return this.uow.manager.getRepository(WhitelistVersionEntity);
  }

  /** The version in force; null before the first. */
  async latest(): Promise<WhitelistVersionEntity | null> {
    const [row] = await this.versions.find({ order: { version: 'DESC' }, take: 1 });
    return row ?? null;
  }

  async find(version: number): Promise<WhitelistVersionEntity | null> {
    return this.versions.findOneBy({ version });
  }

  /** Versions older than `before`, newest first, without their documents. */
  async page(before: number, limit: number): Promise<VersionSummary[]> {
    return this.versions.find({
      select: {
        version: true,
        createdBy: true,
        createdAt: true,
        restoredFrom: true,
        added: true,
        removed: true,
      },
      where: { version: LessThan(before) },
      order: { version: 'DESC' },
      take: limit,
    });
  }

  /**
   * Adds a version if it is the one after the newest.
   * @returns false when another one has been added in the meantime.
   */
  async append(row: WhitelistVersionEntity): Promise<boolean> {
    const rows = await this.uow.manager.query<{ version: number }[]>(
      `INSERT INTO whitelist_versions
         (version, document, created_by, created_at, restored_from, added, removed)
       SELECT $1::integer, $2::jsonb, $3, $4, $5, $6, $7
       WHERE $1::integer - 1 = (SELECT coalesce(max(version), 0) FROM whitelist_versions)
       ON CONFLICT (version) DO NOTHING
       RETURNING version`,
      [
        row.version,
        JSON.stringify(row.document),
        row.createdBy,
        row.createdAt,
        row.restoredFrom,
        row.added,
        row.removed,
      ],
    );
    return rows.length > 0;
  }
}
