import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

const ROOT = resolve(import.meta.dirname, '../..');

export interface ServerProcess {
  url: string;
  child: ChildProcess;
  /** What it has written; complete once it was stopped. */
  logs: string[];
  /** SIGTERM and wait. @returns the exit status. */
  stop(): Promise<number | null>;
  /** SIGKILL and wait: what a power cut or the OOM killer does. */
  kill(): Promise<void>;
}

/**
 * `node dist/server/main.js` as a stranger runs it: nothing of this machine's environment reaches it.
 * Resolves once it says that it is ready.
 */
export async function startServerProcess(env: Record<string, string>): Promise<ServerProcess> {
  const child = spawn(process.execPath, [join(ROOT, 'dist/server/main.js')], {
    env: { PATH: process.env.PATH ?? '', PORT: '0', LOG_LEVEL: 'info', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const logs: string[] = [];
  // Not its exit: what it wrote last is read after that.
  const closed = once(child, 'close');
  child.stderr.on('data', (chunk: Buffer) => logs.push(chunk.toString()));
  const url = await new Promise<string>((ready, failed) => {
    child.once('close', (code) => failed(new Error(`ended with ${code}: ${logs.join('\n')}`)));
    createInterface({ input: child.stdout }).on('line', (line) => {
      logs.push(line);
      const match = /Steward is ready: (http:\/\/[^\s"]+)/.exec(line);
      if (match?.[1]) ready(match[1]);
    });
  });
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal);
    await closed;
    return child.exitCode;
  };
  return {
    url,
    child,
    logs,
    stop: () => end('SIGTERM'),
    kill: async () => {
      await end('SIGKILL');
    },
  };
}
