import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** Stands between a client and a database; can stop forwarding without closing anything. */
export interface TcpProxy {
  /** The database's URL by way of the proxy. */
  url: string;
  /** From now on every connection, new ones too, is open and silent. */
  freeze(): void;
  /** All goes on, with what was on its way. */
  thaw(): void;
  close(): Promise<void>;
}

/** Opens a proxy to the database of `databaseUrl`. */
export async function openTcpProxy(databaseUrl: string): Promise<TcpProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const resumed = new Set<() => void>();
  let frozen = false;
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    return socket;
  };
  const server = createServer((near) => {
    const far = keep(connect(Number(target.port), target.hostname));
    keep(near);
    const forward = (): void => {
      near.pipe(far);
      far.pipe(near);
    };
    if (!frozen) forward();
    resumed.add(forward);
    near.on('close', () => {
      resumed.delete(forward);
      far.destroy();
    });
    far.on('close', () => near.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url.toString(),
    freeze: () => {
      frozen = true;
      for (const socket of sockets) socket.unpipe().pause();
    },
    thaw: () => {
      frozen = false;
      for (const forward of resumed) forward();
    },
    close: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}
