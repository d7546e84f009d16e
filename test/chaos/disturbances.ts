import { setTimeout as delay } from 'node:timers/promises';
import type { FaultKind } from '../support/fault-proxy.js';
import type { TestRedis } from '../support/redis.js';
import type { TestS3 } from '../support/s3.js';
import type { Deployment } from './deployment.js';
import type { Random } from './random.js';
import type { SharedPostgres } from './shared-postgres.js';

/** Something else than a kill that goes wrong now and then. */
export interface Disturbance {
  name: string;
  /** Least and most milliseconds until it happens again. */
  pauseMs: readonly [number, number];
  /** Makes it wrong, and right again. @returns what it was; null when it was not to be done. */
  strike(deployment: Deployment, random: Random): Promise<string | null>;
}

/** Lets it happen until `over` says so, and counts what happened. */
export async function disturb(
  { name, pauseMs, strike }: Disturbance,
  {
    deployment,
    random,
    over,
    counts,
  }: {
    deployment: Deployment;
    random: Random;
    over: () => boolean;
    counts: Record<string, number>;
  },
): Promise<void> {
  while (!over()) {
    const what = await strike(deployment, random);
    if (what !== null) counts[`${name}: ${what}`] = (counts[`${name}: ${what}`] ?? 0) + 1;
    const next = Date.now() + (what === null ? 0 : random.between(...pauseMs));
    while (!over() && Date.now() < next) await delay(100);
  }
}

/** PostgreSQL is killed under a living server; its keeper starts it, five times in a minute at most. */
export const POSTGRES_KILLED: Disturbance = {
  name: 'PostgreSQL',
  pauseMs: [15_000, 20_000],
  strike: async (deployment, random) => {
    await delay(random.between(200, 2_000));
    return (await deployment.killPostgres()) ? 'killed' : null;
  },
};

/**
 * The PostgreSQL of all servers is restarted in order, restarted at once, or repairs itself after one of its
 * processes was killed. Its keeper starts it five times in a minute at most.
 */
export function postgresRestarts(postgres: SharedPostgres): Disturbance {
  return {
    name: 'PostgreSQL',
    pauseMs: [13_000, 18_000],
    strike: async (_deployment, random) => {
      await delay(random.between(200, 2_000));
      const what = random.pick(['restarted', 'restarted at once', 'a backend killed'] as const);
      if (what === 'a backend killed') return (await postgres.killBackend()) ? what : null;
      const done = await postgres.restart(what === 'restarted' ? 'fast' : 'immediate');
      return done ? what : null;
    },
  };
}

/** The count of processes that stood still. */
export const FROZEN = 'process: frozen';

/**
 * A process stands still for longer than its leases of 5 s, as a machine that swaps or is moved does: others
 * take its runs, and it goes on with them as if nothing had been.
 */
export const PROCESS_FROZEN: Disturbance = {
  name: 'process',
  pauseMs: [6_000, 12_000],
  strike: async (deployment, random) => {
    await delay(random.between(200, 2_000));
    const thaw = deployment.freeze(random.pick([...deployment.roles.keys()]));
    if (!thaw) return null;
    await delay(random.between(6_000, 8_500));
    thaw();
    return 'frozen';
  },
};

const S3_FAULTS: readonly FaultKind[] = [
  { kind: 'refuse' },
  { kind: 'reset' },
  { kind: 'hang' },
  { kind: 'status', status: 503 },
];

/** The object store does not answer, answers with errors, or refuses connections for a while. */
export function objectStoreFails(s3: TestS3): Disturbance {
  return {
    name: 'object store',
    pauseMs: [500, 3_000],
    strike: async (_deployment, random) => {
      const fault = random.pick(S3_FAULTS);
      s3.proxy.fault = fault;
      await delay(random.between(500, 2_500));
      s3.proxy.fault = null;
      return fault.kind;
    },
  };
}

/** Redis is emptied, stops for a while, or is silent for a while. */
export function redisFails(redis: TestRedis): Disturbance {
  return {
    name: 'Redis',
    pauseMs: [500, 3_000],
    strike: async (_deployment, random) => {
      const what = random.pick(['flushed', 'stopped', 'silent'] as const);
      if (what === 'flushed') await redis.flush();
      if (what === 'stopped') await redis.stop();
      if (what === 'silent') redis.pause();
      await delay(random.between(200, 2_500));
      if (what === 'stopped') await redis.start();
      if (what === 'silent') redis.resume();
      return what;
    },
  };
}
