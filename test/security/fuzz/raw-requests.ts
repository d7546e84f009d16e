import fc from 'fast-check';
import { hostileText } from './hostile-values.js';

const START = fc.constantFrom(
  'POST /api/v1/auth/token HTTP/1.1',
  'GET /api/v1/calendar/events HTTP/1.1',
  'POST /api/v1/tools/project_cli HTTP/1.1',
  'GET http://evil.example/ HTTP/1.1',
  'GET /healthz HTTP/9.9',
  'BREW /coffee HTTP/1.1',
  'GET //../..%2f HTTP/1.1',
  'CONNECT evil.example:443 HTTP/1.1',
  'GET /healthz',
  '\x16\x03\x01',
);

const HEADER = fc.oneof(
  fc.constantFrom(
    'Transfer-Encoding: chunked',
    'Transfer-Encoding: gzip, chunked',
    'Content-Length: 5',
    'Content-Length: 5\r\nContent-Length: 6',
    'Content-Length: -1',
    'Content-Length: 99999999999999999999',
    'Content-Type: application/json',
    'Content-Encoding: gzip',
    'Content-Encoding: x-none',
    'Expect: 100-continue',
    'Expect: nonsense',
    'Upgrade: websocket\r\nConnection: Upgrade',
    'Host: evil.example',
    ' folded: yes',
    'No colon',
    `X-Long: ${'x'.repeat(20_000)}`,
    Array.from({ length: 2_100 }, (_, n) => `X-${n}: 1`).join('\r\n'),
  ),
  hostileText.map((said) => `X-Hostile: ${said.slice(0, 500)}`),
);

const BODY = fc.oneof(
  fc.constantFrom(
    '',
    'hello',
    '5\r\nhello\r\n0\r\n\r\n',
    'zz\r\nhello\r\n',
    'ffffffffffffffff\r\nx',
    '5\r\nhi',
    '0\r\n\r\nGET /healthz HTTP/1.1\r\n\r\n',
    '\x1f\x8b\x08\x00cut',
  ),
  hostileText.map((said) => said.slice(0, 500)),
);

/** What no HTTP library would send: octets for a socket, which is half closed after them. */
export const rawRequests: fc.Arbitrary<string> = fc
  .tuple(START, fc.array(HEADER, { maxLength: 3 }), BODY)
  .map(([start, headers, body]) =>
    [start, 'Host: 127.0.0.1', ...headers, 'Connection: close', '', body].join('\r\n'),
  );
