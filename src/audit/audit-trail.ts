import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { newId } from '../common/ids.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { entryContent, type AuditEntry } from './audit-entry.js';
import { AuditKeys } from './audit-keys.js';

/** An entry ready to be inserted into `audit_inbox (id, content, mac)`. */
export interface AuditDraft {
  id: string;
  content: string;
  mac: string;
}

/**
 * Where every act is recorded, in the transaction that does it: an act without its entry does not
 * happen, and no entry tells of an act that was rolled back.
 */
@Injectable()
export class AuditTrail {
  private fresh = true;

  constructor(
    private readonly keys: AuditKeys,
    private readonly uow: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Inserts within the current unit of work if there is one, else by itself. */
  async record(entry: AuditEntry): Promise<void> {
    await this.insert(this.draft(entry));
  }

  /** The same for several entries, with one statement. */
  async recordAll(entries: readonly AuditEntry[]): Promise<void> {
    if (entries.length === 0) return;
    const drafts = entries.map((entry) => this.draft(entry));
    await this.uow.manager.query(
      `INSERT INTO audit_inbox (id, content, mac)
       SELECT * FROM unnest($1::text[], $2::text[], $3::text[])`,
      [
        drafts.map(({ id }) => id),
        drafts.map(({ content }) => content),
        drafts.map(({ mac }) => mac),
      ],
    );
  }

  /** Inserts a draft; where, as `record`. */
  async insert({ id, content, mac }: AuditDraft): Promise<void> {
    await this.uow.manager.query('INSERT INTO audit_inbox (id, content, mac) VALUES ($1, $2, $3)', [
      id,
      content,
      mac,
    ]);
  }

  /** For whoever inserts the entry with a statement that does more. */
  draft(entry: AuditEntry): AuditDraft {
    this.fresh = true;
    const id = newId('aud');
    const content = entryContent(id, this.clock.now(), entry);
    return { id, content, mac: this.keys.mac(content) };
  }

  /** Whether this process has drafted anything since it was last asked. */
  takeFresh(): boolean {
    const { fresh } = this;
    this.fresh = false;
    return fresh;
  }
}
