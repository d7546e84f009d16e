import { Injectable, Logger } from '@nestjs/common';
import { HealthIndicatorService, type HealthIndicatorResult } from '@nestjs/terminus';
import { MIGRATIONS } from '../../migrations/index.js';
import { within } from '../common/within.js';
import { UnitOfWork } from '../database/unit-of-work.js';

/** Why the database cannot be used: no answer, or a schema without some of this version's migrations. */
export type DatabaseFault = 'silent' | 'outdated';

/**
 * Whether the database answers a query and has the schema that this version needs. Terminus' own
 * indicator loads TypeORM by its name, which in a bundled server is another copy than the one in use.
 */
@Injectable()
export class DatabaseHealth {
  private readonly logger = new Logger('Database');
  private last: DatabaseFault | null = null;

  constructor(
    private readonly indicators: HealthIndicatorService,
    private readonly uow: UnitOfWork,
  ) {}

  /** What the last check found. */
  get fault(): DatabaseFault | null {
    return this.last;
  }

  /** `down` when there is no answer within `timeoutMs`, or a wrong one; never rejects. */
  async check(timeoutMs: number): Promise<HealthIndicatorResult> {
    const indicator = this.indicators.check('database');
    const { fault, reason } = await this.ask(timeoutMs);
    this.say(fault, reason);
    this.last = fault;
    return fault === null ? indicator.up() : indicator.down(reason);
  }

  /** Once for each change: probes come every few seconds. */
  private say(fault: DatabaseFault | null, reason: string): void {
    if (fault === this.last) return;
    if (fault === null) this.logger.log('The database can be used again.');
    else this.logger.warn(`Not ready: ${reason}.`);
  }

  private async ask(timeoutMs: number): Promise<{ fault: DatabaseFault | null; reason: string }> {
    try {
      const rows = await within(timeoutMs, () =>
        this.uow.manager.query<{ name: string }[]>('SELECT name FROM migrations'),
      );
      const executed = new Set(rows.map(({ name }) => name));
      const missing = MIGRATIONS.filter(({ name }) => !executed.has(name));
      const reason = `the database lacks ${missing.length} migration(s)`;
      return { fault: missing.length === 0 ? null : 'outdated', reason };
    } catch (error) {
      const isGone = error instanceof Error && Reflect.get(error, 'code') === UNDEFINED_TABLE;
      const reason = error instanceof Error ? error.message : String(error);
      return { fault: isGone ? 'outdated' : 'silent', reason };
    }
  }
}

/** SQLSTATE of a query whose table is not there. */
const UNDEFINED_TABLE = '42P01';
