import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ServerProcess } from './server-process.js';

/** Environment of a server whose memory a test looks at. */
export const HEAP_REPORT = {
  NODE_OPTIONS: `--expose-gc --import ${pathToFileURL(join(import.meta.dirname, 'heap-report.mjs')).href}`,
};

/** What a server holds once garbage is collected. */
export interface Held {
  /** Heap and buffers, in bytes. */
  bytes: number;
  /** Sockets, timers and the like that keep it alive. */
  resources: number;
}

/** Asks a server that was started with `HEAP_REPORT`. */
export function heldMemory({ child }: ServerProcess): Promise<Held> {
  return new Promise((resolve, reject) => {
    let text = '';
    const onData = (chunk: Buffer): void => {
      text += chunk.toString();
      const line = /held (\{.*\})\n/.exec(text)?.[1];
      if (line === undefined) return;
      settle();
      resolve(JSON.parse(line) as Held);
    };
    const onExit = (): void => {
      settle();
      reject(new Error('the server is gone'));
    };
    const settle = (): void => {
      child.stderr?.off('data', onData);
      child.off('exit', onExit);
    };
    child.stderr?.on('data', onData);
    child.once('exit', onExit);
    child.kill('SIGUSR2');
  });
}
