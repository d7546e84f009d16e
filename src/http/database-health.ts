import { Injectable } from '@nestjs/common';
import { HealthIndicatorService, type HealthIndicatorResult } from '@nestjs/terminus';
import { UnitOfWork } from '../database/unit-of-work.js';

/**
 * Whether the database answers a query. Terminus' own indicator loads TypeORM by its name, which in
 * a bundled server is another copy than the one in use.
 */
@Injectable()
export class DatabaseHealth {
  constructor(
    private readonly indicators: HealthIndicatorService,
    private readonly uow: UnitOfWork,
  ) {}

  /** `down` when there is no answer within `timeoutMs`; never rejects. */
  async check(timeoutMs: number): Promise<HealthIndicatorResult> {
    const indicator = this.indicators.check('database');
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
    });
    try {
      await Promise.race([this.uow.manager.query('SELECT 1'), late]);
      return indicator.up();
    } catch (error) {
      return indicator.down(error instanceof Error ? error.message : String(error));
    } finally {
      clearTimeout(timer);
    }
  }
}
