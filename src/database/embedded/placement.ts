import { createHash } from 'node:crypto';
import {
  chmod,
  lstat,
  mkdir,
  readFile,
  readlink,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { run, type RuntimeUser } from './child-process.js';
import { EmbeddedDatabaseError } from './embedded-error.js';
import { canEnter } from './runtime-user.js';
import { sharedFolder } from './shared-folder.js';

const UNREACHABLE = 'the user "postgres" cannot enter DATA_DIR';

/** File beside a relocated cluster that names the DATA_DIR it belongs to. */
const OWNER_FILE = 'data-dir';

function relocatedName(dataDir: string): string {
  const parent = basename(dirname(dataDir)).replaceAll(/[^\w-]/g, '');
  return `${parent}-${createHash('sha256').update(dataDir).digest('hex').slice(0, 12)}`;
}

/** Puts the cluster where the account can reach it; DATA_DIR/postgres becomes a link to it. */
async function relocate(dataDir: string, user: RuntimeUser, log: (line: string) => void) {
  const folder = join(await sharedFolder(UNREACHABLE), relocatedName(dataDir));
  const cluster = join(folder, 'postgres');
  await mkdir(folder, { recursive: true });
  await chmod(folder, 0o755);
  await writeFile(join(folder, OWNER_FILE), dataDir);
  if (!(await canEnter(folder, user))) {
    throw new EmbeddedDatabaseError(`${UNREACHABLE} nor ${folder}. Set DATA_DIR or DATABASE_URL.`);
  }
  await symlink(cluster, join(dataDir, 'postgres'));
  log(`${UNREACHABLE}: the database lies in ${cluster}, DATA_DIR/postgres links to it.`);
  return cluster;
}

/**
 * Follows DATA_DIR/postgres to a relocated cluster.
 * @throws EmbeddedDatabaseError when this DATA_DIR is a copy of the one the cluster belongs to: two
 * servers would write to the same data, believing it to be their own.
 */
async function followLink(dataDir: string): Promise<string> {
  const cluster = await readlink(join(dataDir, 'postgres'));
  if (!(await stat(dirname(cluster)).catch(() => undefined))) {
    throw new EmbeddedDatabaseError(
      `DATA_DIR/postgres links to ${cluster}, which is gone. Put it back, or remove the link to ` +
        'begin with an empty database.',
    );
  }
  const ownerFile = join(dirname(cluster), OWNER_FILE);
  const owner = await readFile(ownerFile, 'utf8').catch(() => dataDir);
  if (owner === dataDir) return cluster;
  const ownersLink = await readlink(join(owner, 'postgres')).catch(() => undefined);
  if (ownersLink === cluster) {
    throw new EmbeddedDatabaseError(
      `DATA_DIR is a copy, and its database (${cluster}) still belongs to ${owner}. Copy that ` +
        'folder to DATA_DIR/postgres in place of the link, while its server is stopped.',
    );
  }
  await writeFile(ownerFile, dataDir);
  return cluster;
}

/**
 * Decides where the cluster lies: DATA_DIR/postgres, except that a server started by root from a
 * folder closed to the account `postgres` keeps it in the shared folder.
 * @param dataDir absolute real path, existing.
 * @returns absolute path of the cluster's folder, which may not exist yet.
 */
export async function placeCluster(
  dataDir: string,
  user: RuntimeUser | undefined,
  log: (line: string) => void,
): Promise<string> {
  const inPlace = join(dataDir, 'postgres');
  const existing = await lstat(inPlace).catch(() => undefined);
  if (existing?.isSymbolicLink()) return followLink(dataDir);
  if (!user) return inPlace;
  // Passing through DATA_DIR is all that the account needs of it; it still cannot list it.
  const { mode } = await stat(dataDir);
  if ((mode & 0o001) === 0) await chmod(dataDir, (mode & 0o777) | 0o001);
  if (await canEnter(dataDir, user)) return inPlace;
  if (existing) {
    throw new EmbeddedDatabaseError(
      `${UNREACHABLE} (${dataDir}), where a database lies already. Make its parent folders ` +
        'enterable (chmod o+x), or move DATA_DIR.',
    );
  }
  return relocate(dataDir, user, log);
}

/**
 * Gives an existing cluster to the user that will run it, as after a copy or restore by another.
 * @throws EmbeddedDatabaseError when it belongs to somebody else and this process is not root.
 */
export async function adoptCluster(cluster: string, user: RuntimeUser | undefined): Promise<void> {
  const { uid } = await stat(join(cluster, 'PG_VERSION'));
  const wanted = user?.uid ?? process.getuid?.() ?? uid;
  if (uid !== wanted) {
    if (!user) {
      throw new EmbeddedDatabaseError(
        `its data in ${cluster} belongs to another user (uid ${uid}). Start Steward as before, or ` +
          `give the folder to this user (chown -R ${wanted}).`,
      );
    }
    await run('chown', ['-R', `${user.uid}:${user.gid}`, cluster]);
  }
  // A copy made with a common umask is readable by others, which PostgreSQL refuses.
  await chmod(cluster, 0o700);
}
