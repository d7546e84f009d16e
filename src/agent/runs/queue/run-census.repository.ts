import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../../database/unit-of-work.js';
import { CENSUS_MAX, type RunCensus } from './run-census.js';

/** Counts the runs of all processes. */
@Injectable()
export class RunCensusRepository {
  constructor(private readonly uow: UnitOfWork) {}

  /** Runs by what they wait for, each kind counted to `max` at most. */
  async count(max = CENSUS_MAX): Promise<RunCensus> {
    const count = (condition: string): string =>
      `(SELECT count(*)::int FROM (SELECT 1 FROM agent_runs WHERE ${condition} LIMIT $1) r)`;
    const queued = `status IN ('queued', 'running') AND instance_id IS NULL`;
    const [census] = await this.uow.manager.query<[RunCensus]>(
      `SELECT ${count(queued)} AS queued,
         ${count(`status IN ('queued', 'running') AND instance_id IS NOT NULL`)} AS running,
         ${count(`status = 'waiting'`)} AS waiting,
         (SELECT coalesce(extract(epoch FROM now() - min(created_at)), 0)::float8
          FROM (SELECT created_at FROM agent_runs WHERE ${queued} ORDER BY fair_at LIMIT $1) r
         ) AS "oldestQueuedSeconds"`,
      [max],
    );
    return census;
  }
}
