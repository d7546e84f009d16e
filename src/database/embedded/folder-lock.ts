import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedDatabaseError } from './embedded-error.js';
import { processIdentity } from './processes.js';

interface Holder {
  pid: number;
  identity: string;
  /** Real path of the locked folder: a copy of the folder is not locked by the original's server. */
  folder: string;
  token: string;
}

/** How long two servers that replace the same dead holder need to see each other, in milliseconds. */
const SETTLE_MS = 100;

async function readHolder(file: string): Promise<Holder | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Holder;
  } catch {
    // Absent, or cut short by a crash: nobody holds it.
    return undefined;
  }
}

async function isAlive(holder: Holder, folder: string): Promise<boolean> {
  return holder.folder === folder && (await processIdentity(holder.pid)) === holder.identity;
}

function taken(folder: string, holder: Holder): EmbeddedDatabaseError {
  return new EmbeddedDatabaseError(
    `${folder} is in use by another Steward server (pid ${holder.pid}). Stop it, or give this one ` +
      'another DATA_DIR; several servers on the same data need DATABASE_URL.',
  );
}

/**
 * Claims DATA_DIR for this process. The claim dies with the process, however it ends: a holder that
 * no longer lives, or whose pid is another process by now, is replaced.
 * @param folder absolute real path of DATA_DIR.
 * @returns a function that gives the folder back.
 * @throws EmbeddedDatabaseError while another live process holds it.
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const file = join(folder, 'postgres.lock');
  const identity = (await processIdentity(process.pid)) ?? '';
  const own: Holder = { pid: process.pid, identity, folder, token: randomUUID() };
  const text = JSON.stringify(own);
  const release = async () => {
    if ((await readHolder(file))?.token === own.token) await rm(file, { force: true });
  };
  try {
    await writeFile(file, text, { flag: 'wx', mode: 0o600 });
    return release;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'EEXIST') {
      throw new EmbeddedDatabaseError(
        `DATA_DIR cannot be written (${message}). Start Steward as the user it belongs to, or set ` +
          'another DATA_DIR.',
      );
    }
  }
  const holder = await readHolder(file);
  if (holder && (await isAlive(holder, folder))) throw taken(folder, holder);
  // The last of those who replace a dead holder at the same time stays.
  const draft = `${file}.${own.token}`;
  await writeFile(draft, text, { mode: 0o600 });
  await rename(draft, file);
  await sleep(SETTLE_MS);
  const winner = await readHolder(file);
  if (winner && winner.token !== own.token) throw taken(folder, winner);
  return release;
}
