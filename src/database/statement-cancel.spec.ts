import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';
import { afterEach, describe, expect, it } from '@jest/globals';
import { selfSigned } from '../../test/support/certificate.js';
import { cancelStatement, cancelTargetOf } from './statement-cancel.js';

const OWN = selfSigned('localhost');
const ELSEWHERE = selfSigned('elsewhere');
const SSL_REQUEST = '0000000804d2162f';
const CANCEL = '0000001004d2162e0000000700000009';

/** Servers that do not do as they should, or speak TLS as PostgreSQL does. */
describe('cancelStatement over TLS', () => {
  const servers: Server[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) server.close();
  });

  /** @returns its port, and what came: in the clear, and inside of TLS. */
  async function listen(answer: (socket: Socket, inside: (piece: Buffer) => void) => void) {
    const clear: Buffer[] = [];
    const secret: Buffer[] = [];
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', (piece: Buffer) => {
        clear.push(piece);
        answer(socket, (within) => void secret.push(within));
      });
    });
    servers.push(server.listen(0, '127.0.0.1'));
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    return { port, clear, secret };
  }
  const speakTls = (socket: Socket, { cert, key }: typeof OWN, inside: (piece: Buffer) => void) => {
    socket.write('S');
    const secureContext = createSecureContext({ cert, key });
    const secure = new TLSSocket(socket, { isServer: true, secureContext });
    secure.on('error', () => undefined);
    secure.once('data', (piece: Buffer) => {
      inside(piece);
      secure.end();
    });
  };
  const cancel = (port: number) =>
    cancelStatement({
      host: 'localhost',
      port,
      processId: 7,
      secretKey: 9,
      tls: { options: { ca: [OWN.cert, ELSEWHERE.cert] }, direct: false },
    });
  const hex = (pieces: Buffer[]) => pieces.map((piece) => piece.toString('hex'));

  it('sends the request inside', async () => {
    const { port, clear, secret } = await listen((socket, inside) => speakTls(socket, OWN, inside));
    expect(await cancel(port)).toBe(true);
    expect(hex(clear)).toEqual([SSL_REQUEST]);
    expect(hex(secret)).toEqual([CANCEL]);
  });

  it.each<[string, (socket: Socket, inside: (piece: Buffer) => void) => void]>([
    ['has no TLS', (socket) => void socket.write('N')],
    ['answers with an error', (socket) => void socket.end('E...')],
    ['says more than that in the clear', (socket) => void socket.write('S\u0016\u0003')],
    ['closes', (socket) => void socket.end()],
    [
      'shows the certificate of another',
      (socket, inside) => speakTls(socket, selfSigned('localhost'), inside),
    ],
    ['shows one for another name', (socket, inside) => speakTls(socket, ELSEWHERE, inside)],
  ])('sends nothing to a server that %s', async (_what, answer) => {
    const { port, clear, secret } = await listen(answer);
    const since = performance.now();
    expect(await cancel(port)).toBe(false);
    expect(performance.now() - since).toBeLessThan(1_500);
    expect(hex(clear)).toEqual([SSL_REQUEST]);
    expect(secret).toEqual([]);
  });

  it('gives up on a server that says nothing', async () => {
    const { port, clear } = await listen(() => undefined);
    expect(await cancel(port)).toBe(false);
    expect(hex(clear)).toEqual([SSL_REQUEST]);
  });
});

describe('cancelTargetOf', () => {
  const known = { host: 'db', port: 5432, processID: 7, secretKey: 9, sslNegotiation: 'postgres' };

  it('reads from a connection how it is spoken to', () => {
    const place = { host: 'db', port: 5432, processId: 7, secretKey: 9 };
    expect(cancelTargetOf({ ...known, ssl: false })).toEqual({ ...place, tls: null });
    expect(cancelTargetOf({ ...known, ssl: true })).toEqual({
      ...place,
      tls: { options: {}, direct: false },
    });
    const ssl = { rejectUnauthorized: false };
    expect(cancelTargetOf({ ...known, ssl, sslNegotiation: 'direct' })).toEqual({
      ...place,
      tls: { options: ssl, direct: true },
    });
  });

  it.each([[{}], [{ ...known, ssl: undefined }], [{ ...known, ssl: 'x' }], [null], ['x']])(
    'takes nothing else for a connection that may be cancelled in the clear: %j',
    (connection) => {
      expect(cancelTargetOf(connection)).toBeNull();
    },
  );
});
