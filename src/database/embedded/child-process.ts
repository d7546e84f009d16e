import { spawn } from 'node:child_process';

/**
 * Environment of PostgreSQL's processes and of the system programs run here: nothing of the server's
 * own environment, whose variables are secrets in part, reaches them, no PATH chosen by somebody else
 * decides what root runs, and no locale of the machine changes a message.
 */
export const CHILD_ENVIRONMENT: Readonly<Record<string, string>> = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
};

/** The account that PostgreSQL runs under. */
export interface RuntimeUser {
  uid: number;
  gid: number;
}

export interface Outcome {
  /** Exit status; null when a signal ended the process. */
  code: number | null;
  /** Standard output and error together, in the order of arrival. */
  output: string;
}

/**
 * Runs a program to its end, as `user` where one is given.
 * @throws Error when the program cannot be started at all.
 */
export function run(
  program: string,
  args: readonly string[],
  options: { user?: RuntimeUser | undefined; input?: string } = {},
): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    // The working directory is one that every user can enter: PostgreSQL's programs look at it.
    const child = spawn(program, args, { cwd: '/', env: CHILD_ENVIRONMENT, ...options.user });
    let output = '';
    const collect = (chunk: Buffer) => {
      output += chunk.toString('utf8');
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output }));
    // A program that ends before it has read its input is judged by its exit status.
    child.stdin.on('error', () => undefined);
    child.stdin.end(options.input ?? '');
  });
}
