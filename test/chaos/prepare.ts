import { createTestDatabase } from '../support/database.js';
import { REDIS_SERVER, startRedis } from '../support/redis.js';
import { startS3 } from '../support/s3.js';
import {
  POSTGRES_KILLED,
  PROCESS_FROZEN,
  objectStoreFails,
  postgresRestarts,
  redisFails,
  type Disturbance,
} from './disturbances.js';
import type { Form } from './forms.js';
import { SharedPostgres } from './shared-postgres.js';

/** What a form's servers are started with, and what goes wrong around them. */
export interface Prepared {
  env: Record<string, string>;
  disturbances: Disturbance[];
}

/**
 * Starts what the servers of a form need besides each other.
 * @param atEnd gets what ends each of it, in the order in which it was started.
 */
export async function prepare(
  form: Form,
  atEnd: (end: () => Promise<void>) => void,
): Promise<Prepared> {
  const has = (what: NonNullable<Form['with']>[number]): boolean => !!form.with?.includes(what);
  const database = await databaseOf(form, atEnd);
  const { env, disturbances } = database;
  if (has('zombies')) disturbances.push(PROCESS_FROZEN);
  if (has('PostgreSQL')) disturbances.push(POSTGRES_KILLED);
  if (has('object store')) {
    const s3 = await startS3();
    atEnd(() => s3.close());
    Object.assign(env, s3.env, { TOOL_OUTPUT_STORAGE: 'always', S3_TIMEOUT_MS: '1000' });
    disturbances.push(objectStoreFails(s3));
  }
  if (has('Redis') && REDIS_SERVER !== null) {
    const redis = await startRedis();
    atEnd(() => redis.close());
    Object.assign(env, { REDIS_URL: redis.url });
    disturbances.push(redisFails(redis));
  }
  return database;
}

async function databaseOf(
  { roles, with: troubles }: Form,
  atEnd: (end: () => Promise<void>) => void,
): Promise<Prepared> {
  if (roles.length === 1) return { env: { CLI_EXECUTOR: 'process' }, disturbances: [] };
  if (troubles?.includes('shared PostgreSQL')) {
    const postgres = await SharedPostgres.start();
    atEnd(() => postgres.close());
    return {
      env: { CLI_EXECUTOR: 'inline', DATABASE_URL: postgres.url },
      disturbances: [postgresRestarts(postgres)],
    };
  }
  const database = await createTestDatabase();
  atEnd(() => database.drop());
  return { env: { CLI_EXECUTOR: 'inline', DATABASE_URL: database.url }, disturbances: [] };
}
