// `npm run test:chaos`: the long form of the chaos courses, of all their forms or, with `-t NAME`, of some.
// Whatever it starts and writes lies in one temporary folder and one process group, so that nothing is
// left of it, however it ends; Ctrl-C ends it at once. Exits as jest does, or with 130 or 143.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 };
/** Keepers shut their PostgreSQL down when its server is gone; after so long it is killed. */
const SHUTDOWN_MS = 30_000;

/** A signal to a process or a group that may be gone. */
function send(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

/** The PostgreSQL servers that run on data in the folder. */
async function databases(folder) {
  const pids = [];
  for (const name of await readdir(folder)) {
    const file = join(folder, name, 'postgres', 'postmaster.pid');
    const [pid] = (await readFile(file, 'utf8').catch(() => '')).split('\n');
    if (/^\d+$/.test(pid)) pids.push(Number(pid));
  }
  return pids;
}

async function clear(folder) {
  const until = Date.now() + SHUTDOWN_MS;
  for (;;) {
    const left = await databases(folder);
    if (left.length === 0) break;
    if (Date.now() > until) {
      for (const pid of left) send(pid, 'SIGKILL');
      break;
    }
    await delay(100);
  }
  // A database that ends writes until it has ended.
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
}

const folder = await mkdtemp(join(tmpdir(), 'steward-chaos-'));
// The account of PostgreSQL, where root starts this, must get through.
await chmod(folder, 0o711);
const { CHAOS_KILLS = '200', CHAOS_MINUTES = '60' } = process.env;
const jest = spawn(
  process.execPath,
  [
    '--experimental-vm-modules',
    '--disable-warning=ExperimentalWarning',
    join(root, 'node_modules/jest/bin/jest.js'),
    // What jest keeps of compiled files is of use next time.
    `--cacheDirectory=${join(tmpdir(), 'steward-jest')}`,
    'test/chaos/chaos.spec.ts',
    ...process.argv.slice(2),
  ],
  {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, CHAOS_KILLS, CHAOS_MINUTES, TMPDIR: folder },
  },
);

/** None of it is kept, so nothing is asked to end; also what is stopped or busy ends. */
function killAll() {
  if (jest.pid !== undefined) send(-jest.pid, 'SIGKILL');
}

let interrupted = null;
for (const signal of Object.keys(SIGNALS)) {
  process.on(signal, () => {
    if (interrupted === null) process.stderr.write('Interrupted: clearing up …\n');
    interrupted ??= signal;
    killAll();
  });
}

const [code] = await once(jest, 'exit');
killAll();
await clear(folder);
process.exitCode = interrupted ? SIGNALS[interrupted] : (code ?? 1);
