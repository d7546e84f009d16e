import type { DataSource, Logger } from 'typeorm';

/** A node of `EXPLAIN (ANALYZE, FORMAT JSON)`, as far as it is looked at here. */
export interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: PlanNode[];
}

export interface RecordedPlan {
  sql: string;
  plan: PlanNode;
}

const LARGE = [
  'calendar_events',
  'calendar_attendees',
  'contacts',
  'memory_facts',
  'memory_history',
];
const READS_LARGE = new RegExp(`^\\s*(?:\\(|WITH|SELECT)[^]*\\b(?:${LARGE.join('|')})\\b`);
const TRIGRAM_THRESHOLD = /set_config\('pg_trgm/;

/** The plans, as executed, of every statement that reads a large table while `work` runs. */
export async function recordPlans(
  database: DataSource,
  work: () => Promise<unknown>,
): Promise<RecordedPlan[]> {
  const sent: [sql: string, parameters: unknown[]][] = [];
  const { logger } = database;
  database.logger = listener((sql, parameters) => void sent.push([sql, parameters]));
  try {
    await work();
  } finally {
    database.logger = logger;
  }
  const plans: RecordedPlan[] = [];
  await database.transaction(async (manager) => {
    for (const [sql, parameters] of sent) {
      // A setting of the transaction changes the plans after it.
      if (TRIGRAM_THRESHOLD.test(sql)) await manager.query(sql, parameters);
      if (!READS_LARGE.test(sql)) continue;
      const [row] = await manager.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }[]>(
        `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${sql}`,
        parameters,
      );
      const plan = row?.['QUERY PLAN'][0]?.Plan;
      if (!plan) throw new Error(`no plan of ${sql}`);
      plans.push({ sql, plan });
    }
  });
  return plans;
}

/** Large tables that the plan reads from end to end. */
export function sequentialScans(plan: PlanNode): string[] {
  const own =
    plan['Node Type'] === 'Seq Scan' && LARGE.includes(plan['Relation Name'] ?? '')
      ? [plan['Relation Name'] ?? '']
      : [];
  return [...own, ...(plan.Plans ?? []).flatMap(sequentialScans)];
}

/** Rows of large tables that were fetched, those thrown away again among them. */
export function rowsRead(plan: PlanNode): number {
  const below = (plan.Plans ?? []).reduce((sum, node) => sum + rowsRead(node), 0);
  if (!LARGE.includes(plan['Relation Name'] ?? '')) return below;
  const thrown = plan['Rows Removed by Filter'] ?? 0;
  const rechecked = plan['Rows Removed by Index Recheck'] ?? 0;
  return below + Math.round((plan['Actual Rows'] + thrown + rechecked) * plan['Actual Loops']);
}

/** The nodes that read large tables, for whoever has to find out why. */
export function described(plan: PlanNode): string {
  const below = (plan.Plans ?? []).map(described).filter((text) => text !== '');
  const table = plan['Relation Name'] ?? '';
  if (!LARGE.includes(table)) return below.join('; ');
  const by = plan['Index Name'] ?? plan.Plans?.map((node) => node['Index Name']).join('+') ?? '';
  const rows = `${plan['Actual Rows']} and ${plan['Rows Removed by Filter'] ?? 0} thrown away`;
  return [`${plan['Node Type']} ${table} ${by}: ${rows}, × ${plan['Actual Loops']}`, ...below].join(
    '; ',
  );
}

function listener(onQuery: (sql: string, parameters: unknown[]) => void): Logger {
  const nothing = (): void => undefined;
  return {
    logQuery: (sql, parameters) => onQuery(sql, Array.isArray(parameters) ? parameters : []),
    logQueryError: nothing,
    logQuerySlow: nothing,
    logSchemaBuild: nothing,
    logMigration: nothing,
    log: nothing,
  };
}
