import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedDatabaseError } from './embedded-error.js';
import { isServerOf } from './processes.js';

/** How long the keeper of a dead Steward server gets to stop PostgreSQL before it is asked here. */
const KEEPER_MS = 3_000;
/** Longest wait for a shutdown, which writes everything to disk. */
const SHUTDOWN_MS = 60_000;
const POLL_MS = 25;

/** pid and folder as PostgreSQL wrote them: the first two lines of postmaster.pid. */
async function readPidFile(cluster: string): Promise<{ pid: number; folder: string } | undefined> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '');
  const [pid, folder] = text.split('\n');
  return /^\d+$/.test(pid ?? '') && folder ? { pid: Number(pid), folder } : undefined;
}

/**
 * Clears what an earlier server left in the cluster. A PostgreSQL that still runs there belongs to
 * no live Steward server (the folder's lock is held): it is waited for while it shuts down, and
 * asked to when nobody else does. A pid file that names a process which is no PostgreSQL of this
 * cluster (the pid was reused, or the folder copied) is removed, since PostgreSQL would refuse to
 * start. PostgreSQL itself still checks, by its shared memory, that nobody uses the data.
 * @throws EmbeddedDatabaseError when the earlier PostgreSQL does not stop.
 */
export async function settlePreviousServer(
  cluster: string,
  log: (line: string) => void,
  keeperMs = KEEPER_MS,
): Promise<void> {
  const left = await readPidFile(cluster);
  if (!left) return;
  if (!(await isServerOf(left.pid, cluster))) {
    await rm(join(cluster, 'postmaster.pid'), { force: true });
    return;
  }
  log('The PostgreSQL of an earlier server still runs; waiting for it to stop.');
  const start = Date.now();
  let asked = false;
  while (await isServerOf(left.pid, cluster)) {
    const waited = Date.now() - start;
    if (waited > SHUTDOWN_MS) {
      throw new EmbeddedDatabaseError(
        `an earlier PostgreSQL (pid ${left.pid}) on ${cluster} does not stop. Stop it and try again.`,
      );
    }
    if (!asked && waited > keeperMs) {
      asked = true;
      // SIGINT is PostgreSQL's fast shutdown: sessions end, everything is written.
      process.kill(left.pid, 'SIGINT');
    }
    await sleep(POLL_MS);
  }
}
