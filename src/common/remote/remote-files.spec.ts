import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { StewardError } from '../steward-error.js';
import { REAL_NETWORK, type RemoteNetwork } from './pinned-connection.js';
import { RemoteFiles, type RemoteFile, type RemoteFileOptions } from './remote-files.js';
import { openRemoteHost, PUBLIC, type Answer, type RemoteHost } from './testing/remote-host.js';

const MAX = 1024 * 1024;
const CALENDAR = 'https://calendar.example.com/';
const NO_TIME = { timeoutMs: 300 };

describe('reading a file at an address', () => {
  let host: RemoteHost;
  beforeAll(async () => {
    host = await openRemoteHost();
  });
  beforeEach(() => {
    host.reset();
    for (const name of ['calendar', 'other']) host.names.set(`${name}.example.com`, [[PUBLIC]]);
  });
  afterAll(() => host.close());

  function read(address: string, options: Partial<RemoteFileOptions> = {}): Promise<RemoteFile> {
    return new RemoteFiles({
      places: { internet: true, origins: [] },
      accept: 'text/calendar',
      maxBytes: MAX,
      timeoutMs: 10_000,
      network: host.network,
      ...options,
    }).read(address);
  }

  async function refusal(address: string, options?: Partial<RemoteFileOptions>) {
    const error = await read(address, options).then(
      () => new Error('It was read.'),
      (reason: unknown) => reason,
    );
    if (!(error instanceof StewardError)) throw error;
    return { code: error.code, message: error.message, issues: error.details.issues };
  }

  const page = (path: string, answer: Answer) =>
    host.pages.set(`calendar.example.com${path}`, answer);
  const text: Answer = (response) =>
    void response.writeHead(200, { 'content-type': 'text/calendar; charset=utf-8' }).end('日历');
  const to = (location: string, status = 302): Answer => {
    return (response) =>
      void response.writeHead(status, { location, 'set-cookie': 'session=1' }).end('moved');
  };

  it('gives its octets and type, and tells the host nothing of the user', async () => {
    page('/', text);
    const { bytes, contentType } = await read(` ${CALENDAR}#today `);
    expect([bytes.toString(), contentType]).toEqual(['日历', 'text/calendar; charset=utf-8']);
    expect(host.dialled).toEqual([`${PUBLIC} 443`]);
    expect(host.headers).toEqual([
      {
        host: 'calendar.example.com',
        accept: 'text/calendar',
        'accept-encoding': 'gzip',
        'user-agent': 'Steward',
        connection: 'close',
      },
    ]);
  });

  it('unpacks what was packed', async () => {
    page(
      '/',
      (response) =>
        void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('日历')),
    );
    expect((await read(CALENDAR)).bytes.toString()).toBe('日历');
  });

  describe('resolves a name once', () => {
    it('and connects to just that, whatever the name means a moment later', async () => {
      host.names.set('calendar.example.com', [[PUBLIC], ['127.0.0.1']]);
      page('/', text);
      expect((await read(CALENDAR)).bytes.toString()).toBe('日历');
      expect([host.resolved, host.dialled]).toEqual([['calendar.example.com'], [`${PUBLIC} 443`]]);
      expect(await refusal(CALENDAR)).toMatchObject({ code: 'INVALID_ACTION_INPUT' });
      expect(host.dialled).toHaveLength(1);
    });

    it.each([
      [['127.0.0.1']],
      [['10.0.0.1']],
      [['169.254.169.254']],
      [['::1']],
      [['::ffff:93.184.216.34']],
      [['fd00::1']],
      [['64:ff9b::a00:1']],
      [[PUBLIC, '10.0.0.1']],
      [['10.0.0.1', PUBLIC]],
      [['2606:4700:4700::1111', 'fe80::1']],
      [[]],
    ])('and refuses %j as if there were no such name', async (addresses) => {
      host.names.set('calendar.example.com', [addresses]);
      page('/', text);
      const unknown = await refusal('https://unknown.example.com/');
      expect(unknown).toMatchObject({ code: 'INVALID_ACTION_INPUT', issues: [{ path: 'url' }] });
      expect(await refusal(CALENDAR)).toEqual(unknown);
      expect(await refusal('https://127.0.0.1/')).toEqual(unknown);
      expect([host.dialled, host.requests]).toEqual([[], []]);
    });

    it.each<[string, Partial<RemoteNetwork>]>([
      [
        'fails',
        { resolve: () => Promise.reject(Object.assign(new Error(), { code: 'EAI_AGAIN' })) },
      ],
      ['is silent', { resolve: () => new Promise(() => undefined) }],
    ])('and says so when the resolver %s', async (_name, part) => {
      const network = { ...host.network, ...part };
      expect(await refusal(CALENDAR, { ...NO_TIME, network })).toMatchObject({
        code: 'DEPENDENCY_UNAVAILABLE',
      });
      expect(host.dialled).toEqual([]);
    });
  });

  describe('follows redirects', () => {
    it('up to three, to other hosts too, and takes no cookie along', async () => {
      page('/', to('/two', 301));
      page('/two', to('https://other.example.com/three', 307));
      host.pages.set('other.example.com/three', to('webcal://calendar.example.com/four', 308));
      page('/four', text);
      expect((await read(CALENDAR)).bytes.toString()).toBe('日历');
      expect(host.requests).toHaveLength(4);
      expect(host.headers.filter(({ cookie, referer }) => cookie ?? referer)).toEqual([]);
      page('/zero', to('/'));
      expect(await refusal(`${CALENDAR}zero`)).toMatchObject({
        code: 'INVALID_ACTION_INPUT',
        message: 'url: leads on over more than 3 redirects.',
      });
    });

    it.each([
      'http://calendar.example.com/two',
      'https://127.0.0.1/',
      'https://[::1]/',
      'https://2130706433/',
      'https://inside.example.com/',
      '//inside.example.com/',
      'https://user:password@other.example.com/',
      'https://other.example.com:8443/',
      'file:///etc/passwd',
      'https://unknown.example.com/',
    ])('but not to %s', async (location) => {
      host.names.set('inside.example.com', [['10.0.0.1']]);
      page('/', to(location));
      expect(await refusal(CALENDAR)).toEqual(await refusal('https://127.0.0.1/'));
      expect(host.requests).toEqual(['calendar.example.com/']);
    });

    it('but not without an address', async () => {
      page('/', (response) => void response.writeHead(302).end());
      expect(await refusal(CALENDAR)).toMatchObject({ code: 'INVALID_ACTION_INPUT' });
    });
  });

  describe('ends within its time', () => {
    it.each<[string, Answer]>([
      ['answers nothing', () => undefined],
      ['stops in the middle', (response) => void response.writeHead(200).write('BEGIN')],
      ['redirects for ever', to('/')],
      [
        'sends a packed file and stops',
        (response) => {
          response.writeHead(200, { 'content-encoding': 'gzip' });
          response.write(gzipSync('BEGIN').subarray(0, 12));
        },
      ],
    ])('with a host that %s', async (name, answer) => {
      page('/', answer);
      const code = name.startsWith('redirects') ? 'INVALID_ACTION_INPUT' : 'DEPENDENCY_UNAVAILABLE';
      expect(await refusal(CALENDAR, NO_TIME)).toMatchObject({ code });
      await host.left;
    });
  });

  describe('keeps to its size', () => {
    const endless = Buffer.alloc(64 * 1024, 65);
    const pour: Answer = (response) => {
      const more = (): void => void (response.destroyed || response.write(endless, more));
      more();
    };

    it.each<[string, Answer]>([
      [
        'says that it is larger',
        (response) => void response.writeHead(200, { 'content-length': MAX + 1 }).write('B'),
      ],
      ['does not end', pour],
      [
        'is small until it is unpacked',
        (response) =>
          void response
            .writeHead(200, { 'content-encoding': 'gzip' })
            .end(gzipSync(Buffer.alloc(64 * MAX))),
      ],
    ])('with a file that %s', async (_name, answer) => {
      page('/', answer);
      expect(await refusal(CALENDAR)).toMatchObject({
        code: 'LIMIT_EXCEEDED',
        message: 'A file at an address has at most 1 MiB.',
      });
      await host.left;
    });

    it('and takes one of just that size', async () => {
      page('/', (response) => void response.end(Buffer.alloc(MAX)));
      expect((await read(CALENDAR)).bytes).toHaveLength(MAX);
    });
  });

  it.each<[string, Answer, string]>([
    ['404', (response) => void response.writeHead(404).end(), 'INVALID_ACTION_INPUT'],
    ['204', (response) => void response.writeHead(204).end(), 'INVALID_ACTION_INPUT'],
    ['429', (response) => void response.writeHead(429).end(), 'DEPENDENCY_UNAVAILABLE'],
    ['500', (response) => void response.writeHead(500).end(), 'DEPENDENCY_UNAVAILABLE'],
    ['a broken connection', (response) => void response.destroy(), 'DEPENDENCY_UNAVAILABLE'],
    [
      'half of what it announced',
      (response) => {
        response.writeHead(200, { 'content-length': 10 }).write('BEGIN');
        setImmediate(() => response.destroy());
      },
      'DEPENDENCY_UNAVAILABLE',
    ],
    [
      'an encoding that was not asked for',
      (response) => void response.writeHead(200, { 'content-encoding': 'br' }).end('B'),
      'DEPENDENCY_UNAVAILABLE',
    ],
    [
      'no gzip though it says so',
      (response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end('BEGIN'),
      'DEPENDENCY_UNAVAILABLE',
    ],
    [
      'another protocol',
      (response) => void response.writeHead(101, { connection: 'upgrade', upgrade: 'x' }).end(),
      'DEPENDENCY_UNAVAILABLE',
    ],
  ])('is refused to a host that answers %s', async (_name, answer, code) => {
    page('/', answer);
    const error = await refusal(CALENDAR);
    expect(error.code).toBe(code);
    expect(error.message).not.toMatch(/example|127\.0\.0\.1|ECONN|zlib|gzip/i);
  });

  it('is refused where the certificate is of somebody else, or of nobody', async () => {
    page('/', text);
    host.names.set('calendar.example.org', [[PUBLIC]]);
    const { ca: _ca, ...untrusting } = host.network;
    for (const error of [
      await refusal('https://calendar.example.org/'),
      await refusal(CALENDAR, { network: untrusting }),
    ]) {
      expect(error.code).toBe('DEPENDENCY_UNAVAILABLE');
    }
    expect(host.requests).toEqual([]);
  });

  it('works through the real network, at a listed origin and an address that answers', async () => {
    const server = createServer((_request, response) => void response.end('inside'));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const resolve = () =>
      Promise.resolve([
        { address: '127.0.0.2', family: 4 },
        { address: '127.0.0.1', family: 4 },
      ]);
    const network = { ...REAL_NETWORK, resolve };
    const listed = (origin: string) => ({
      places: { internet: false, origins: [origin] },
      network,
    });
    try {
      for (const origin of [`http://127.0.0.1:${port}`, `http://inside.example.com:${port}`]) {
        expect((await read(origin, listed(origin))).bytes.toString()).toBe('inside');
        expect(await refusal(`${origin}1/`, listed(origin))).toMatchObject({
          code: 'INVALID_ACTION_INPUT',
          message: expect.stringContaining('listed'),
        });
      }
    } finally {
      server.close();
    }
  });
});
