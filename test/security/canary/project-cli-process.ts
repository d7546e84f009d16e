import { readFile, readdir } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

/** A running `project-cli` child, as the system shows it to anybody with the right to look. */
export interface SeenProcess {
  environment: Record<string, string>;
  commandLine: string[];
}

async function childrenOf(pid: number): Promise<string[]> {
  const threads = await readdir(`/proc/${pid}/task`);
  const lists = threads.map((id) =>
    readFile(`/proc/${pid}/task/${id}/children`, 'utf8').catch(() => ''),
  );
  return (await Promise.all(lists)).join(' ').split(/\s+/).filter(Boolean);
}

const fields = async (path: string): Promise<string[]> =>
  (await readFile(path, 'utf8')).split('\0').filter(Boolean);

/** Waits until the server has a project-cli child (Linux only). The caller keeps that child alive. */
export async function seeProjectCli(serverPid: number): Promise<SeenProcess> {
  for (let attempt = 0; attempt < 2_000; attempt += 1) {
    for (const pid of await childrenOf(serverPid)) {
      // Before its exec a child shows what its parent shows.
      const commandLine = await fields(`/proc/${pid}/cmdline`).catch(() => []);
      if (!commandLine.some((word) => word.endsWith('project-cli.js'))) continue;
      const environment = (await fields(`/proc/${pid}/environ`)).map((line) => {
        const at = line.indexOf('=');
        return [line.slice(0, at), line.slice(at + 1)] as const;
      });
      return { commandLine, environment: Object.fromEntries(environment) };
    }
    await delay(5);
  }
  throw new Error('no project-cli process was seen');
}
