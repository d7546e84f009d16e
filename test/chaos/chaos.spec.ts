import { appendFile } from 'node:fs/promises';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { createTestDatabase } from '../support/database.js';
import { REDIS_SERVER, startRedis } from '../support/redis.js';
import { startS3 } from '../support/s3.js';
import { runCourse, type CourseSettings } from './course.js';
import {
  POSTGRES_KILLED,
  PROCESS_FROZEN,
  objectStoreFails,
  redisFails,
  type Disturbance,
} from './disturbances.js';
import type { Role } from './deployment.js';
import { lines, table, type Report } from './report.js';

/** Kills and minutes of all forms together; without them it is the short form of CI. */
const { CHAOS_KILLS, CHAOS_MINUTES, CHAOS_SEED, CHAOS_REPORT } = process.env;
const KILLS = CHAOS_KILLS === undefined ? null : Number(CHAOS_KILLS);
const MINUTES = Number(CHAOS_MINUTES ?? 60);
const SEED = CHAOS_SEED === undefined ? Date.now() % 1_000_000 : Number(CHAOS_SEED);
const SHORT_MS = 45_000;
/** What comes after the last kill: runs that come to rest, and the audit. */
const REST_MS = 300_000;

interface Form extends Pick<CourseSettings, 'roles' | 'people' | 'planner'> {
  form: string;
  /** Part of all kills and of the time of the long form. */
  share: number;
  /** Kills of the short form; absent: the form is not in it. */
  short?: number;
  with?: readonly ('PostgreSQL' | 'object store' | 'Redis' | 'zombies')[];
}

/** A single one has the embedded PostgreSQL, which is killed with it. */
const ONE_SERVER: readonly Role[] = ['all'];
const TWO_SERVERS: readonly Role[] = ['all', 'all'];
/** Who posts to one, streams from another and comes back to a third. */
const API_AND_WORKERS: readonly Role[] = ['api', 'api', 'api', 'worker', 'worker'];

const FORMS: Form[] = [
  {
    form: 'two servers, object store and Redis fail',
    roles: TWO_SERVERS,
    people: 6,
    share: 0.2,
    short: 4,
    with: ['object store', 'Redis'],
  },
  {
    form: 'one server, PostgreSQL fails',
    roles: ONE_SERVER,
    people: 4,
    share: 0.15,
    short: 2,
    with: ['PostgreSQL'],
  },
  {
    form: 'API replicas and workers that stand still, Redis fails',
    roles: API_AND_WORKERS,
    people: 6,
    share: 0.25,
    with: ['Redis', 'zombies'],
  },
  {
    form: 'two servers that stand still',
    roles: TWO_SERVERS,
    people: 6,
    share: 0.15,
    with: ['zombies'],
  },
  { form: 'one server', roles: ONE_SERVER, people: 4, share: 0.15 },
  {
    form: 'two servers, offline planner',
    roles: TWO_SERVERS,
    people: 6,
    share: 0.1,
    planner: (mark) => `创建日程 ${mark}，明天下午三点到四点`,
  },
];

/** Milliseconds after which a form kills nothing more. */
function limitOf({ share }: Form): number {
  return KILLS === null ? SHORT_MS : MINUTES * share * 60_000;
}

/**
 * Processes are killed with SIGKILL while clients talk, reconnect, cancel and approve; afterwards nothing
 * may be lost, doubled, missing or open. The seed of a course is in its report; two courses of the same
 * seed are alike, not equal: what a machine does in the meantime is not.
 */
describe('chaos', () => {
  const endings: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const end of endings.splice(0).toReversed()) await end();
  });

  const reports: Report[] = [];
  afterAll(() => void process.stdout.write(`chaos, seed ${SEED}:\n${table(reports)}\n`));

  const envOf = async ({ roles }: Form): Promise<Record<string, string>> => {
    if (roles.length === 1) return { CLI_EXECUTOR: 'process' };
    const database = await createTestDatabase();
    endings.push(() => database.drop());
    return { CLI_EXECUTOR: 'inline', DATABASE_URL: database.url };
  };
  const troubles = async (
    names: Form['with'],
  ): Promise<{ env: Record<string, string>; disturbances: Disturbance[] }> => {
    const env: Record<string, string> = {};
    const disturbances: Disturbance[] = [];
    if (names?.includes('zombies')) disturbances.push(PROCESS_FROZEN);
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
        limitMs: limitOf(form),
        env: { ...(await envOf(form)), ...env },
        disturbances,
      });
      process.stdout.write(`${lines(figures)}\n`);
      reports.push(figures);
      if (CHAOS_REPORT) await appendFile(CHAOS_REPORT, `${JSON.stringify(figures)}\n`);
      const faults = figures.faults.slice(0, 10);
      expect({ seed: SEED, faults }).toEqual({ seed: SEED, faults: [] });
      // Few that were asked for may find every person done before their time comes.
      if (KILLS === null) expect(figures.kills).toBeGreaterThan(0);
      expect(figures.runs).toBeGreaterThan(0);
    },
    Math.max(...FORMS.map(limitOf)) + REST_MS,
  );
});
