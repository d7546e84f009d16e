import { once } from 'node:events';
import type { RequestListener, ServerResponse, IncomingHttpHeaders } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { isIPv6 } from 'node:net';
import { selfSigned } from '../../../../test/support/certificate.js';
import type { RemoteNetwork } from '../pinned-connection.js';

export type Answer = (response: ServerResponse) => void;

/** An HTTPS server that stands for every host of a small Internet under example.com. */
export interface RemoteHost {
  network: RemoteNetwork;
  /** What a name resolves to, one answer after the other, the last for good. */
  names: Map<string, string[][]>;
  /** What is answered to a request, by host and path. */
  pages: Map<string, Answer>;
  /** Names that were resolved. */
  resolved: string[];
  /** Addresses and ports that were connected to. */
  dialled: string[];
  /** Requests that came, as `host/path`. */
  requests: string[];
  headers: IncomingHttpHeaders[];
  /** Resolves when the connection of the latest request is closed. */
  left: Promise<unknown>;
  reset(): void;
  close(): Promise<void>;
}

export const PUBLIC = '93.184.216.34';

export async function openRemoteHost(): Promise<RemoteHost> {
  const { cert, key } = selfSigned('*.example.com');
  const answer: RequestListener = (request, response) => {
    const page = `${request.headers.host ?? ''}${request.url ?? ''}`;
    host.requests.push(page);
    host.headers.push(request.headers);
    host.left = new Promise((resolve) => request.socket.once('close', resolve));
    const write = host.pages.get(page);
    if (write) write(response);
    else response.writeHead(404).end();
  };
  const server = createServer({ cert, key }, answer);
  // A client that does not trust the certificate.
  server.on('tlsClientError', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const host: RemoteHost = {
    network: {
      ca: cert,
      resolve: async (name) => {
        host.resolved.push(name);
        const answers = host.names.get(name) ?? [];
        const [addresses] = answers.length > 1 ? answers.splice(0, 1) : answers;
        if (!addresses) throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
        return addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
      },
      route: (_host, addresses, wanted) => {
        host.dialled.push(`${addresses.map(({ address }) => address).join(' ')} ${wanted}`);
        return { host: '127.0.0.1', port };
      },
    },
    names: new Map(),
    pages: new Map(),
    resolved: [],
    dialled: [],
    requests: [],
    headers: [],
    left: Promise.resolve(),
    reset: () => {
      host.names.clear();
      host.pages.clear();
      for (const list of [host.resolved, host.dialled, host.requests, host.headers]) {
        list.length = 0;
      }
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return host;
}
