import { startRedis } from './redis.js';
import { startRoundRobin } from './round-robin.js';
import { startServerProcess, type ServerProcess } from './server-process.js';

/** `STEWARD_TOPOLOGY=cluster`: the product is two API replicas and two workers, with a Redis. */
export const IN_CLUSTER = process.env.STEWARD_TOPOLOGY === 'cluster';

/** The replicas of a product beside the one in the test's own process. */
export interface Surroundings {
  /** What all replicas need to know. */
  env: Record<string, string>;
  /** Where clients go: to another API replica with every request. */
  url: string;
  /** Starts the others, once the first API replica listens at `first`. */
  join(first: string): Promise<void>;
  close(): Promise<void>;
}

/** @param own settings of the product, which its processes get too. */
export async function openSurroundings(own: Record<string, string>): Promise<Surroundings> {
  const [redis, front] = [await startRedis(), await startRoundRobin()];
  const env = {
    ...own,
    REDIS_URL: redis.url,
    PUBLIC_URL: front.url,
    PROJECT_CLI_ENDPOINT: front.url,
  };
  // A worker executes no calls itself; everything else is as it was asked for.
  const { CLI_EXECUTOR, ...others } = env as Record<string, string>;
  const forWorker = CLI_EXECUTOR === 'process' ? { ...others, CLI_EXECUTOR } : others;
  let processes: ServerProcess[] = [];
  return {
    env,
    url: front.url,
    join: async (first) => {
      processes = await Promise.all([
        startServerProcess({ ...env, ROLE: 'api' }),
        startServerProcess({ ...forWorker, ROLE: 'worker' }),
        startServerProcess({ ...forWorker, ROLE: 'worker' }),
      ]);
      front.targets.push(first, processes[0]?.url ?? first);
    },
    close: async () => {
      await Promise.all(processes.map((one) => one.stop()));
      await front.close();
      await redis.close();
    },
  };
}
