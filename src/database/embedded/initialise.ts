import { randomUUID } from 'node:crypto';
import { chown, lstat, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Binaries } from './binaries.js';
import { run, type RuntimeUser } from './child-process.js';
import { EmbeddedDatabaseError } from './embedded-error.js';

/** Role and database of the application. The role is no superuser; nobody signs in as one. */
export const ROLE = 'steward';
export const DATABASE = 'steward';

/** Only the application's role, only from this machine, only with its password. */
const HBA = `host all ${ROLE} 127.0.0.1/32 scram-sha-256\n`;

/**
 * Character classes outside ASCII (pg_trgm asks the C library for them). Order and case are those
 * of PostgreSQL's own C.UTF-8, the same on every machine.
 */
const CHARACTER_LOCALES = ['C.UTF-8', 'en_US.UTF-8', 'C'];

export interface Initialisation {
  binaries: Binaries;
  user: RuntimeUser | undefined;
  password: string;
  /** Tests make databases of their own. */
  createDatabases: boolean;
}

async function initdb(folder: string, { binaries, user }: Initialisation): Promise<void> {
  let output = '';
  for (const locale of CHARACTER_LOCALES) {
    const outcome = await run(
      binaries.initdb,
      [
        `--pgdata=${folder}`,
        '--username=postgres',
        '--auth=reject',
        '--encoding=UTF8',
        '--locale=C',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        `--lc-ctype=${locale}`,
        '--text-search-config=simple',
        '--no-sync',
        '--no-instructions',
      ],
      { user },
    );
    if (outcome.code === 0) return;
    output = outcome.output;
    if (!output.includes('invalid locale')) break;
  }
  throw new EmbeddedDatabaseError(`initdb failed.\n${output.trim()}`);
}

/** Runs statements, one a line, without a server: PostgreSQL's single-user mode. */
async function runStatements(
  folder: string,
  statements: string[],
  { binaries, user }: Pick<Initialisation, 'binaries' | 'user'>,
  settings: string[] = [],
): Promise<void> {
  const flags = ['log_min_error_statement=panic', ...settings].flatMap((pair) => ['-c', pair]);
  const args = ['--single', '-D', folder, ...flags, 'postgres'];
  const outcome = await run(binaries.postgres, args, { user, input: `${statements.join('\n')}\n` });
  const failure = /^.*\b(ERROR|FATAL|PANIC): .*$/m.exec(outcome.output)?.[0];
  if (outcome.code === 0 && failure === undefined) return;
  throw new EmbeddedDatabaseError(
    `its database cannot be prepared: ${failure ?? outcome.output.trim()}`,
  );
}

/** Sets the role's password, for a cluster whose password file was lost. */
export async function resetPassword(
  cluster: string,
  options: Pick<Initialisation, 'binaries' | 'user' | 'password'>,
): Promise<void> {
  await runStatements(cluster, [`ALTER ROLE ${ROLE} PASSWORD '${options.password}'`], options);
}

/** What the folder of a cluster is called while it is made, but for an id. */
function unfinishedName(cluster: string): string {
  return `${basename(cluster)}.unfinished-`;
}

/**
 * Removes what a making left that was interrupted. A killed server leaves the process behind that
 * writes there; that ends by itself, because its files go.
 */
export async function discardUnfinished(cluster: string): Promise<void> {
  const parent = dirname(cluster);
  const names = await readdir(parent);
  for (const name of names.filter((entry) => entry.startsWith(unfinishedName(cluster)))) {
    // Each retry waits a little longer: twenty of them some ten seconds.
    const patience = { maxRetries: 20, retryDelay: 50 };
    await rm(join(parent, name), { recursive: true, force: true, ...patience });
  }
}

/**
 * Makes the cluster, its role and its database. It is made under another name, synced to disk and
 * then renamed, so that one that was interrupted is never mistaken for a whole one.
 * @returns false when the cluster exists already.
 */
export async function initialiseCluster(
  cluster: string,
  options: Initialisation,
): Promise<boolean> {
  await discardUnfinished(cluster);
  if (await lstat(cluster).catch(() => undefined)) return false;
  const folder = join(dirname(cluster), `${unfinishedName(cluster)}${randomUUID()}`);
  await mkdir(folder, { mode: 0o700 });
  if (options.user) await chown(folder, options.user.uid, options.user.gid);
  await initdb(folder, options);
  await runStatements(
    folder,
    [
      `CREATE ROLE ${ROLE} LOGIN ${options.createDatabases ? 'CREATEDB' : 'NOCREATEDB'} PASSWORD '${options.password}'`,
      `CREATE DATABASE ${DATABASE} OWNER ${ROLE}`,
    ],
    options,
    // Everything is synced below, once.
    ['fsync=off'],
  );
  await writeFile(join(folder, 'pg_hba.conf'), HBA);
  const synced = await run(options.binaries.initdb, ['--sync-only', `--pgdata=${folder}`], {
    user: options.user,
  });
  if (synced.code !== 0) throw new EmbeddedDatabaseError(synced.output.trim());
  await rename(folder, cluster);
  return true;
}

/** @throws EmbeddedDatabaseError when the folder holds no cluster, or one of another major version. */
export async function checkVersion(cluster: string, major: string): Promise<void> {
  const found = await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch(() => undefined);
  if (found === undefined) {
    throw new EmbeddedDatabaseError(
      `${cluster} exists but holds no PostgreSQL data. Move it away, or set another DATA_DIR.`,
    );
  }
  if (found.trim() !== major) {
    throw new EmbeddedDatabaseError(
      `${cluster} was made by PostgreSQL ${found.trim()}, this Steward brings ${major}. Dump it with ` +
        'the version that made it and load it into a new DATA_DIR.',
    );
  }
}
