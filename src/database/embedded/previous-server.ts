import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedDatabaseError } from './embedded-error.js';
import { isServerOf, processesOf } from './processes.js';

/** How long the keeper of a dead Steward server gets to stop PostgreSQL before it is asked here. */
const KEEPER_MS = 3_000;
/** Longest wait for a shutdown, which writes everything to disk. */
const SHUTDOWN_MS = 60_000;
const POLL_MS = 25;

/** pid as PostgreSQL wrote it, in the first line of postmaster.pid. */
type PidFile = { state: 'none' } | { state: 'unreadable' } | { state: 'names'; pid: number };

async function readPidFile(file: string): Promise<PidFile> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return { state: 'none' };
    throw new EmbeddedDatabaseError(`${file} cannot be read (${message}).`);
  }
  const [pid = '', folder] = text.split('\n');
  return /^\d{1,10}$/.test(pid) && folder
    ? { state: 'names', pid: Number(pid) }
    : { state: 'unreadable' };
}

/**
 * Clears what an earlier server left in the cluster. A PostgreSQL that still runs there belongs to
 * no live Steward server (the folder's lock is held): it is waited for while it shuts down, and
 * asked to when nobody else does. A pid file that names a process which is no PostgreSQL of this
 * cluster (the pid was reused, or the folder copied) is removed, since PostgreSQL would refuse to
 * start; so is one that names nothing, as after a crash of the machine or on a full disk, once no
 * process works on the cluster. PostgreSQL itself still checks, by its shared memory, that nobody uses the data.
 * @throws EmbeddedDatabaseError when the earlier PostgreSQL does not stop.
 */
export async function settlePreviousServer(
  cluster: string,
  log: (line: string) => void,
  keeperMs = KEEPER_MS,
): Promise<void> {
  const file = join(cluster, 'postmaster.pid');
  const left = await readPidFile(file);
  if (left.state === 'none') return;
  const users = async (): Promise<number[]> => {
    if (left.state !== 'names') return processesOf(cluster);
    return (await isServerOf(left.pid, cluster)) ? [left.pid] : [];
  };
  let running = await users();
  if (running.length > 0) log('The PostgreSQL of an earlier server still runs; waiting for it.');
  const wasRunning = running.length > 0;
  const start = Date.now();
  let asked = false;
  while (running.length > 0) {
    const waited = Date.now() - start;
    if (waited > SHUTDOWN_MS) {
      throw new EmbeddedDatabaseError(
        `an earlier PostgreSQL (pid ${running.join(', ')}) on ${cluster} does not stop. Stop it and ` +
          'try again.',
      );
    }
    if (!asked && waited > keeperMs) {
      asked = true;
      // SIGINT is PostgreSQL's fast shutdown: sessions end, everything is written.
      for (const pid of running) interrupt(pid);
    }
    await sleep(POLL_MS);
    running = await users();
  }
  // One that shut down in order has removed its file itself, unless the file was not its own any more.
  if (!wasRunning || left.state === 'unreadable') await rm(file, { force: true });
}

function interrupt(pid: number): void {
  try {
    process.kill(pid, 'SIGINT');
  } catch (error) {
    // It has ended in the meantime.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
