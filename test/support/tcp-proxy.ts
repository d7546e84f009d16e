import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** Stands between a client and a server; can stop forwarding without closing anything, or cut. */
export interface TcpProxy {
  /** The server's URL by way of the proxy. */
  url: string;
  /** From now on every connection, new ones too, is open and silent. */
  freeze(): void;
  /** From now on new connections are open and silent; those that are there go on. */
  silenceNew(): void;
  /** All goes on, with what was on its way. */
  thaw(): void;
  /** Breaks every connection; new ones are made as before. */
  cut(): void;
  close(): Promise<void>;
}

/**
 * Opens a proxy to the host and port of `serverUrl`.
 * @param heard is told what clients send, piece by piece, as anybody on the way could read it.
 */
export async function openTcpProxy(
  serverUrl: string,
  heard?: (piece: Buffer) => void,
): Promise<TcpProxy> {
  const target = new URL(serverUrl);
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
      // Piped twice, everything would arrive twice.
      near.unpipe(far).pipe(far);
      far.unpipe(near).pipe(near);
    };
    if (heard) near.on('data', heard);
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
  const url = new URL(serverUrl);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url.toString(),
    freeze: () => {
      frozen = true;
      for (const socket of sockets) socket.unpipe().pause();
    },
    silenceNew: () => {
      frozen = true;
    },
    thaw: () => {
      frozen = false;
      for (const forward of resumed) forward();
    },
    cut: () => {
      for (const socket of sockets) socket.destroy();
    },
    close: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}
