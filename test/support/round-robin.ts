import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What stands before several replicas: each request goes to the next one. */
export interface RoundRobin {
  url: string;
  /** The replicas that get requests; may be changed at any time. */
  targets: string[];
  close(): Promise<void>;
}

/** Passes requests on as they are. A replica that is not there is passed over, once for each. */
export async function startRoundRobin(): Promise<RoundRobin> {
  const targets: string[] = [];
  let next = 0;
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => forward(Buffer.concat(chunks), targets.length));
    const forward = (body: Buffer, attempts: number): void => {
      const target = targets[next++ % Math.max(1, targets.length)];
      if (target === undefined || attempts === 0) {
        outgoing.writeHead(502).end();
        return;
      }
      const { method, headers, url = '/' } = incoming;
      // The path as it was sent: as part of a URL it would be read, and `//host` is one.
      const options = {
        path: url,
        method,
        headers: { ...headers, connection: 'close' },
        agent: false,
      };
      const passed = request(target, options, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
        answer.on('close', () => outgoing.destroy());
      });
      passed.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code === 'ECONNREFUSED') forward(body, attempts - 1);
        else outgoing.destroy();
      });
      outgoing.on('close', () => passed.destroy());
      passed.end(body);
    };
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    targets,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
