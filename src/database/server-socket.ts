import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls, type ConnectionOptions } from 'node:tls';

/** Code of an SSLRequest (PostgreSQL, "Message Formats"), sent in place of a startup message. */
const SSL_REQUEST = 80_877_103;

/** Where a server is, and how it is spoken to. */
export interface ServerPlace {
  /** A name or address; a folder for a Unix socket. */
  host: string;
  port: number;
  /** Null for a connection in the clear. */
  tls: ServerTls | null;
}

export interface ServerTls {
  /** As `tls.connect` takes them: what is trusted, and what is shown. */
  options: ConnectionOptions;
  /** `sslnegotiation=direct`: TLS from the first byte, without asking for it. */
  direct: boolean;
}

/**
 * Opens a socket to a server of PostgreSQL, ready for the first message. With `tls` it is encrypted and the
 * server is who its certificate says, on the same terms as the driver's own connections; nothing but the
 * wish for TLS is ever sent in the clear then.
 * @param signal closes it, also when it is open.
 * @throws Error when it cannot be opened so, or `signal` aborts before.
 */
export async function openServerSocket(place: ServerPlace, signal: AbortSignal): Promise<Socket> {
  const { host, port, tls } = place;
  const plain = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
  closeOn(signal, plain);
  await heard(plain, 'connect');
  if (!tls) return plain;
  try {
    if (!tls.direct) await agreeOnTls(plain);
    const secure = connectTls({
      ...secureOptions(tls),
      socket: plain,
      host,
      // RFC 6066, section 3: no address stands there.
      ...(isIP(host) === 0 && { servername: host }),
    });
    closeOn(signal, secure);
    await heard(secure, 'secureConnect');
    return secure;
  } catch (error) {
    plain.destroy();
    throw error;
  }
}

/** The driver hides the key from loops over its options. */
function secureOptions({ options, direct }: ServerTls): ConnectionOptions {
  const { key } = options;
  return {
    ...options,
    ...(key !== undefined && { key }),
    ...(direct && { ALPNProtocols: ['postgresql'] }),
  };
}

/**
 * @throws Error for a server without TLS. One byte is the whole answer: more of them in the clear were put
 *   there by somebody in between.
 */
async function agreeOnTls(socket: Socket): Promise<void> {
  const request = Buffer.alloc(8);
  request.writeInt32BE(8, 0);
  request.writeInt32BE(SSL_REQUEST, 4);
  socket.write(request);
  const answer = await heard(socket, 'data');
  if (String(answer) !== 'S') throw new Error('the server does not speak TLS');
}

function closeOn(signal: AbortSignal, socket: Socket): void {
  socket.on('error', () => undefined);
  const close = (): void => void socket.destroy();
  if (signal.aborted) close();
  signal.addEventListener('abort', close, { once: true });
  socket.once('close', () => signal.removeEventListener('abort', close));
}

/** @throws Error when the socket closes before. */
function heard(socket: Socket, event: 'connect' | 'data' | 'secureConnect'): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const onClose = (): void => reject(new Error('the connection was closed'));
    socket.once('close', onClose);
    socket.once(event, (value: unknown) => {
      socket.off('close', onClose);
      resolve(value);
    });
  });
}
