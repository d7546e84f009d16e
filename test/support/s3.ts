import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { openFaultProxy, type FaultProxy } from './fault-proxy.js';

export interface TestS3 {
  /**
   * Variables for `startProduct`, `startTestApp` or `readConfig`: the server by way of the proxy, with
   * the timeouts that the product has unless told.
   */
  env: Record<string, string>;
  /** Stands in front of the server and makes it fail as told. */
  proxy: FaultProxy;
  /** The server itself, whatever the proxy does. */
  directUrl: string;
  close(): Promise<void>;
}

/** A real S3 server over HTTP with an empty folder of its own, behind a proxy for faults. */
export async function startS3(): Promise<TestS3> {
  const folder = await mkdtemp(join(tmpdir(), 'steward-s3-'));
  // A process of its own: its tokens for the next page of a listing are made with a cipher that
  // OpenSSL 3 counts as legacy.
  const program = join(import.meta.dirname, 's3-server.mjs');
  const child = spawn(process.execPath, ['--openssl-legacy-provider', program, folder], {
    env: { PATH: process.env.PATH ?? '' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const port = await new Promise<number>((ready, failed) => {
    child.once('exit', (code) => failed(new Error(`the S3 server ended with ${code}`)));
    createInterface({ input: child.stdout }).once('line', (line) =>
      ready((JSON.parse(line) as { port: number }).port),
    );
  });
  const directUrl = `http://127.0.0.1:${port}`;
  const proxy = await openFaultProxy(directUrl);
  return {
    directUrl,
    proxy,
    env: {
      S3_ENDPOINT: proxy.url,
      S3_ACCESS_KEY: 'S3RVER',
      S3_SECRET_KEY: 'S3RVER',
      S3_BUCKET: 'steward-test',
    },
    close: async () => {
      await proxy.close();
      child.kill('SIGKILL');
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
