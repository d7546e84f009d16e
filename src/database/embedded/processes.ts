import { readdir, readFile, readlink } from 'node:fs/promises';
import { platform } from 'node:os';
import { run } from './child-process.js';

async function ps(pid: number, columns: string): Promise<string | undefined> {
  const outcome = await run('ps', ['-o', columns, '-p', String(pid)]).catch(() => undefined);
  return outcome?.code === 0 ? outcome.output.trim() : undefined;
}

/**
 * What tells a process from every other that ever had its pid: the time it started, within one boot
 * of the machine. Undefined when no such process lives (one that only waits to be reaped is dead).
 */
export async function processIdentity(pid: number): Promise<string | undefined> {
  if (platform() !== 'linux') {
    const line = await ps(pid, 'stat=,lstart=');
    return line === undefined || line.startsWith('Z') ? undefined : line.replace(/^\S+\s+/, '');
  }
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  if (status === undefined) return undefined;
  // The fields begin after the command name, which may hold spaces and parentheses (proc(5)).
  const fields = status.slice(status.lastIndexOf(')') + 2).split(' ');
  const [state, started] = [fields[0], fields[19]];
  if (state === 'Z' || state === 'X' || started === undefined) return undefined;
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '');
  return `${boot.trim()}:${started}`;
}

/**
 * Whether the process is a PostgreSQL server of that cluster: it works inside the cluster's folder,
 * or, where the system does not show that, names it in its arguments.
 * @param cluster absolute real path of the cluster's folder.
 */
export async function isServerOf(pid: number, cluster: string): Promise<boolean> {
  if ((await processIdentity(pid)) === undefined) return false;
  if (platform() !== 'linux') return ((await ps(pid, 'command=')) ?? '').includes(cluster);
  const folder = await readlink(`/proc/${pid}/cwd`).catch(() => undefined);
  if (folder !== undefined) return folder === cluster;
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return command.split('\0').includes(cluster);
}

/**
 * Processes that work on the cluster, found by looking at every process of the machine.
 * @param cluster absolute real path of the cluster's folder.
 */
export async function processesOf(cluster: string): Promise<number[]> {
  const names = platform() === 'linux' ? await readdir('/proc') : await psPids();
  const found: number[] = [];
  for (const pid of names.filter((name) => /^\d+$/.test(name)).map(Number)) {
    if (pid !== process.pid && (await isServerOf(pid, cluster))) found.push(pid);
  }
  return found;
}

async function psPids(): Promise<string[]> {
  return (await run('ps', ['-axo', 'pid='])).output.split(/\s+/);
}
