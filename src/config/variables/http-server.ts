import { str } from 'envalid';
import { httpUrl, integer, list } from './kinds.js';
import { defineTheme } from './theme.js';

/** Where the server listens, and what it takes from whom. */
export const HTTP_SERVER = defineTheme({
  title: 'HTTP server',
  variables: {
    PORT: integer(
      0,
      65535,
    )({ default: 3000, desc: 'TCP port of the HTTP server; 0 takes a free one.' }),
    HOST: str({ default: '127.0.0.1', desc: 'Address to listen on; 0.0.0.0 in a container.' }),
    PUBLIC_URL: httpUrl({
      default: undefined,
      desc: 'Base URL under which clients reach the server; also the issuer of tokens, so all replicas need the same one. Default: http://localhost:PORT.',
    }),
    TRUST_PROXY: integer(
      0,
      10,
    )({
      default: 0,
      desc: 'Reverse proxies in front of the server; the client address is taken from X-Forwarded-For behind that many.',
    }),
    CORS_ORIGINS: list({
      default: [],
      desc: 'Origins of browsers that may call the API, comma-separated.',
    }),
    HTTP_BODY_MAX_BYTES: integer(
      1024,
      64 * 1024 * 1024,
    )({
      default: 1024 * 1024,
      desc: 'Largest accepted request body, in bytes.',
    }),
    RATE_LIMIT_PER_MINUTE: integer(
      1,
      1_000_000,
    )({
      default: 600,
      desc: 'Requests a user or address may make in a minute.',
    }),
    REFUSED_CREDENTIALS_PER_MINUTE: integer(
      1,
      1_000_000,
    )({
      default: 60,
      desc: 'Requests without a valid credential that an address may make in a minute; more are answered 429.',
    }),
    TOOL_RATE_LIMIT_PER_MINUTE: integer(
      1,
      1_000_000,
    )({
      default: 1200,
      desc: 'Calls of project_cli over HTTP, child processes of runs included, that a user may make in a minute.',
    }),
    SSE_HEARTBEAT_MS: integer(
      100,
      15_000,
    )({
      default: 10_000,
      desc: 'Milliseconds of silence after which a stream carries a comment.',
    }),
    SSE_STALL_MS: integer(
      100,
      600_000,
    )({
      default: 60_000,
      desc: 'Milliseconds that a client may leave its stream unread once it is full; then it is dropped and may come back with the last id it saw.',
    }),
  },
});
