import { run, type RuntimeUser } from './child-process.js';
import { EmbeddedDatabaseError } from './embedded-error.js';

const ACCOUNT = 'postgres';

async function numericId(flag: '-u' | '-g'): Promise<number | undefined> {
  const { code, output } = await run('id', [flag, ACCOUNT]);
  const id = Number.parseInt(output, 10);
  return code === 0 && Number.isInteger(id) && id > 0 ? id : undefined;
}

async function lookUp(): Promise<RuntimeUser | undefined> {
  const [uid, gid] = await Promise.all([numericId('-u'), numericId('-g')]);
  return uid === undefined || gid === undefined ? undefined : { uid, gid };
}

/**
 * PostgreSQL refuses to run as root, so a server started by root gives it the account `postgres`,
 * made when it does not exist. Undefined for an ordinary user: PostgreSQL runs as that user.
 * @throws EmbeddedDatabaseError when the account can neither be found nor made.
 */
export async function runtimeUser(log: (line: string) => void): Promise<RuntimeUser | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const existing = await lookUp();
  if (existing) return existing;
  const shell = '/usr/sbin/nologin';
  const args = ['--system', '--user-group', '--no-create-home', '--shell', shell, ACCOUNT];
  const outcome = await run('useradd', args).catch(() => undefined);
  // Looked up again whatever the exit status: another server may have made it meanwhile.
  const made = await lookUp();
  if (!made) {
    throw new EmbeddedDatabaseError(
      `it does not run as root, and the system user "${ACCOUNT}" cannot be created` +
        `${outcome ? ` (${outcome.output.trim()})` : ''}. Create that user, start Steward as an ` +
        'ordinary user, or set DATABASE_URL.',
    );
  }
  log(`Created the system user "${ACCOUNT}", under which the embedded PostgreSQL runs.`);
  return made;
}

/** Whether `user` can enter a folder: asked of the system, which knows ACLs and mounts too. */
export async function canEnter(folder: string, user: RuntimeUser): Promise<boolean> {
  const { code } = await run('/bin/sh', ['-c', 'cd -- "$1"', 'sh', folder], { user });
  return code === 0;
}
