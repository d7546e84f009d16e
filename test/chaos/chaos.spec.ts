import { appendFile } from 'node:fs/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createTestDatabase } from '../support/database.js';
import { REDIS_SERVER, startRedis } from '../support/redis.js';
import { startS3 } from '../support/s3.js';
import { runCourse, type CourseSettings } from './course.js';
import { POSTGRES_KILLED, objectStoreFails, redisFails, type Disturbance } from './disturbances.js';
import { table } from './report.js';

/** Kills of all forms together, and minutes of each; without them it is the short form of CI. */
const { CHAOS_KILLS, CHAOS_MINUTES, CHAOS_SEED, CHAOS_REPORT } = process.env;
const KILLS = CHAOS_KILLS === undefined ? null : Number(CHAOS_KILLS);
const LIMIT_MS = CHAOS_MINUTES === undefined ? 45_000 : Number(CHAOS_MINUTES) * 60_000;
const SEED = CHAOS_SEED === undefined ? Date.now() % 1_000_000 : Number(CHAOS_SEED);
/** What comes after the last kill: runs that come to rest, and the audit. */
const TIMEOUT_MS = LIMIT_MS + 300_000;

/** Two servers on one database, or one with the embedded PostgreSQL, which is killed with it. */
interface Form extends Pick<CourseSettings, 'servers' | 'people' | 'planner'> {
  form: string;
  /** Part of all kills of the long form. */
  share: number;
  /** Kills of the short form; absent: the form is not in it. */
  short?: number;
  with?: readonly ('PostgreSQL' | 'object store' | 'Redis')[];
}

const FORMS: Form[] = [
  {
    form: 'two servers, object store and Redis fail',
    servers: 2,
    people: 6,
    share: 0.25,
    short: 4,
    with: ['object store', 'Redis'],
  },
  {
    form: 'one server, PostgreSQL fails',
    servers: 1,
    people: 4,
    share: 0.15,
    short: 2,
    with: ['PostgreSQL'],
  },
  { form: 'two servers', servers: 2, people: 6, share: 0.3 },
  { form: 'one server', servers: 1, people: 4, share: 0.2 },
  {
    form: 'two servers, offline planner',
    servers: 2,
    people: 6,
    share: 0.1,
    planner: (mark) => `创建日程 ${mark}，明天下午三点到四点`,
  },
];

/**
 * Servers are killed with SIGKILL while clients talk, reconnect, cancel and approve; afterwards nothing
 * may be lost, doubled, missing or open. The seed of a course is in its report; two courses of the same
 * seed are alike, not equal: what a machine does in the meantime is not.
 */
describe('chaos', () => {
  const endings: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const end of endings.splice(0).toReversed()) await end();
  });

  const envOf = async ({ servers }: Form): Promise<Record<string, string>> => {
    if (servers === 1) return { CLI_EXECUTOR: 'process' };
    const database = await createTestDatabase();
    endings.push(() => database.drop());
    return { CLI_EXECUTOR: 'inline', DATABASE_URL: database.url };
  };
  const troubles = async (
    names: Form['with'],
  ): Promise<{ env: Record<string, string>; disturbances: Disturbance[] }> => {
    const env: Record<string, string> = {};
    const disturbances: Disturbance[] = [];
    if (names?.includes('PostgreSQL')) disturbances.push(POSTGRES_KILLED);
    if (names?.includes('object store')) {
      const s3 = await startS3();
      endings.push(() => s3.close());
      Object.assign(env, s3.env, { TOOL_OUTPUT_STORAGE: 'always', S3_TIMEOUT_MS: '1000' });
      disturbances.push(objectStoreFails(s3));
    }
    if (names?.includes('Redis') && REDIS_SERVER !== null) {
      const redis = await startRedis();
      endings.push(() => redis.close());
      Object.assign(env, { REDIS_URL: redis.url });
      disturbances.push(redisFails(redis));
    }
    return { env, disturbances };
  };

  const forms = FORMS.filter(({ short }) => KILLS !== null || short !== undefined);
  it.each(forms)(
    '$form',
    async (form) => {
      const { env, disturbances } = await troubles(form.with);
      const kills = KILLS === null ? (form.short ?? 0) : Math.ceil(KILLS * form.share);
      const figures = await runCourse({
        ...form,
        seed: SEED,
        kills,
        limitMs: LIMIT_MS,
        env: { ...(await envOf(form)), ...env },
        disturbances,
      });
      process.stdout.write(`${table(figures)}\n`);
      if (CHAOS_REPORT) await appendFile(CHAOS_REPORT, `${JSON.stringify(figures)}\n`);
      const faults = figures.faults.slice(0, 10);
      expect({ seed: SEED, faults }).toEqual({ seed: SEED, faults: [] });
      expect(figures.kills).toBeGreaterThan(0);
      expect(figures.runs).toBeGreaterThan(0);
    },
    TIMEOUT_MS,
  );
});
