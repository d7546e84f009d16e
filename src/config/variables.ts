import { EnvError, makeValidator, str, type ValidatorSpec } from 'envalid';
import { isJsonObject, type JsonObject } from '../common/json.js';

/** A whole number within bounds; the message of a bad value names both. */
const integer = (min: number, max: number) =>
  makeValidator<number>((input) => {
    const value = Number(input);
    if (!/^\d+$/.test(input.trim()) || !Number.isSafeInteger(value) || value < min || value > max) {
      throw new EnvError(`must be a whole number from ${min} to ${max}`);
    }
    return value;
  });

/** A switch. */
const flag = makeValidator<boolean>((input) => {
  if (input !== 'true' && input !== 'false') throw new EnvError('must be true or false');
  return input === 'true';
});

/** A JSON object. */
const jsonObject = makeValidator<JsonObject>((input) => {
  try {
    const value: unknown = JSON.parse(input);
    if (isJsonObject(value)) return value;
  } catch {
    // Said below.
  }
  throw new EnvError('must be a JSON object such as {"enable_thinking":false}');
});

/** A comma-separated list; blanks fall away. */
const list = makeValidator<string[]>((input) =>
  input
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== ''),
);

/** `name=value,name=value`, values percent-encoded. */
const headers = makeValidator<Record<string, string>>((input) => {
  const pairs = input.split(',').map((part): [string, string] => {
    const [, name, value] = /^\s*([\w-]+)=([\x21-\x7e]+)\s*$/.exec(part) ?? [];
    try {
      if (name && value) return [name.toLowerCase(), decodeURIComponent(value)];
    } catch {
      // Not percent-encoded.
    }
    throw new EnvError('must be name=value pairs, comma-separated, values percent-encoded');
  });
  return Object.fromEntries(pairs);
});

/** A number from 0 to 1. */
const share = makeValidator<number>((input) => {
  if (!/^(0(\.\d+)?|1(\.0+)?)$/.test(input.trim())) throw new EnvError('must be from 0 to 1');
  return Number(input);
});

/** A connection URL of PostgreSQL. */
const postgresUrl = makeValidator<string>((input) => {
  if (!/^postgres(ql)?:\/\/\S+$/.test(input)) {
    throw new EnvError('must be a URL such as postgres://user:password@host:5432/database');
  }
  return input;
});

/** A connection URL of Redis; `rediss` is TLS. */
const redisUrl = makeValidator<string>((input) => {
  if (!/^rediss?:\/\/\S+$/.test(input) || !URL.canParse(input)) {
    throw new EnvError('must be a URL such as redis://:password@host:6379/0');
  }
  return input;
});

/** An absolute http(s) URL without a trailing slash. */
const httpUrl = makeValidator<string>((input) => {
  if (!/^https?:\/\/[^\s]+$/.test(input) || !URL.canParse(input)) {
    throw new EnvError('must be an http:// or https:// URL');
  }
  return input.replace(/\/+$/, '');
});

/** A comma-separated list of http(s) origins. */
const origins = makeValidator<string[]>((input) =>
  input
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => {
      const url = /^https?:\/\/\S+$/i.test(part) && URL.canParse(part) ? new URL(part) : null;
      if (!url || url.href !== `${url.origin}/`) {
        throw new EnvError('must be origins such as https://calendar.example.internal:8443');
      }
      return url.origin;
    }),
);

/** The origin of an S3 endpoint; the bucket and the keys have variables of their own. */
const s3Endpoint = makeValidator<string>((input) => {
  const url = /^https?:\/\/[^\s]+$/.test(input) && URL.canParse(input) ? new URL(input) : null;
  if (!url || url.pathname !== '/' || url.search || url.hash || url.username || url.password) {
    throw new EnvError('must be an http:// or https:// URL of a host, without path or keys');
  }
  return url.origin;
});

/** The name of a bucket, by the rules of S3. */
const bucketName = makeValidator<string>((input) => {
  if (!/^(?!\d+(?:\.\d+){3}$)[a-z0-9](?:[a-z0-9-]|\.(?!\.)){1,61}[a-z0-9]$/.test(input)) {
    throw new EnvError('must be 3 to 63 of a-z, 0-9, - and .');
  }
  return input;
});

/** What a file that a person attaches may be; each is recognised by its content. */
const ATTACHMENT_TYPES = [
  'image/png',
  'image/jpeg',
  'image/webp',
  'image/gif',
  'application/pdf',
  'text/plain',
  'text/markdown',
  'text/csv',
  'application/json',
];

/** A list of words that are all known. */
const listOf = (known: readonly string[]) =>
  makeValidator<string[]>((input) => {
    const words = input
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '');
    const unknown = words.find((word) => !known.includes(word));
    if (unknown !== undefined) throw new EnvError(`may have ${known.join(', ')}`);
    return words;
  });

const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;

/**
 * Every environment variable that Steward reads, with type, default and meaning. This is the only
 * list: `config.ts` reads it, docs/CONFIGURATION.md is generated from it.
 */
export const VARIABLES = {
  ROLE: str({
    choices: ['all', 'api', 'worker'],
    default: 'all',
    desc: 'What this process does. all: everything. api: serves clients and executes no runs. worker: executes runs and serves only its probes; needs DATABASE_URL and PROJECT_CLI_ENDPOINT.',
  }),
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
  SHUTDOWN_GRACE_MS: integer(
    0,
    600_000,
  )({
    default: 10_000,
    desc: 'Milliseconds that runs get to end when the process stops; the others are handed over to another process or the next start.',
  }),
  LOG_LEVEL: str({
    choices: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    default: 'info',
    desc: 'Least severe level that is logged.',
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl({
    default: undefined,
    desc: 'Base URL of an OpenTelemetry collector (OTLP/HTTP, …:4318) that gets spans of runs, model requests and tool calls. Absent: nothing is traced.',
  }),
  OTEL_EXPORTER_OTLP_HEADERS: headers({
    default: {},
    desc: 'Headers for that collector: name=value, comma-separated, values percent-encoded.',
  }),
  OTEL_SERVICE_NAME: str({ default: 'steward', desc: 'Name of this service in traces.' }),
  OTEL_TRACES_SAMPLER_ARG: share({
    default: 1,
    desc: 'Share of traces that are kept, 0 to 1; one that a client has begun is kept or not as the client says.',
  }),
  METRICS_TOKEN: str({
    default: undefined,
    desc: 'Bearer token that /metrics asks for. Absent: whoever reaches the server may read it, as /healthz.',
  }),
  DATA_DIR: str({
    default: '.data',
    desc: 'Folder of the embedded database, the signing key and, without S3_ENDPOINT, the stored objects.',
  }),
  DATABASE_URL: postgresUrl({
    default: undefined,
    desc: 'PostgreSQL 15 or later. Absent: the server starts an embedded PostgreSQL in DATA_DIR.',
  }),
  DATABASE_POOL_SIZE: integer(
    2,
    200,
  )({ default: 10, desc: 'Most database connections of this process.' }),
  REDIS_URL: redisUrl({
    default: undefined,
    desc: 'Redis 6.2 or later, which tells the processes of one deployment of runs and events faster than PostgreSQL does. Holds nothing of its own: without it, or while it does not answer, PostgreSQL does all.',
  }),
  MIGRATIONS: str({
    choices: ['auto', 'manual'],
    default: 'auto',
    desc: 'auto: pending migrations run at start, one replica at a time. manual: the start stops when some are pending.',
  }),
  S3_ENDPOINT: s3Endpoint({
    default: undefined,
    desc: 'S3 endpoint (MinIO, AWS, …) for tool outputs and attachments, as https://host:port. Absent: they lie in DATA_DIR/objects.',
  }),
  S3_ACCESS_KEY: str({ default: undefined, desc: 'Access key; required with S3_ENDPOINT.' }),
  S3_SECRET_KEY: str({ default: undefined, desc: 'Secret key; required with S3_ENDPOINT.' }),
  S3_BUCKET: bucketName({ default: 'steward', desc: 'Bucket of this deployment alone.' }),
  S3_REGION: str({ default: 'us-east-1', desc: 'Region of the bucket.' }),
  S3_PATH_STYLE: flag({
    default: true,
    desc: 'true: https://host/bucket/key, which MinIO takes. false: https://bucket.host/key. AWS gets the latter anyway.',
  }),
  S3_CREATE_BUCKET: flag({
    default: true,
    desc: 'Whether the bucket is made when it is missing.',
  }),
  S3_CONNECT_TIMEOUT_MS: integer(
    50,
    60_000,
  )({ default: 2000, desc: 'Milliseconds until a connection to the S3 endpoint must stand.' }),
  S3_TIMEOUT_MS: integer(
    50,
    600_000,
  )({
    default: 10_000,
    desc: 'Milliseconds without a byte from the S3 endpoint after which a request fails.',
  }),
  AUTH_REGISTRATION: str({
    choices: ['open', 'closed'],
    default: 'open',
    desc: 'closed: nobody registers after the first account, which is the admin.',
  }),
  AUTH_SIGNING_KEY: str({
    default: undefined,
    desc: 'Ed25519 private key of the embedded issuer, PKCS#8 PEM or JWK. Absent: made once and kept in DATA_DIR; replicas on different machines must be given one.',
  }),
  AUTH_VERIFY_KEYS: str({
    default: undefined,
    desc: 'Ed25519 keys of before, whose tokens are still accepted: PEM blocks one after the other, or JWKs in a JSON list. Private keys also keep alive links that they signed.',
  }),
  ACCESS_TOKEN_TTL_SECONDS: integer(
    MINUTE,
    DAY,
  )({ default: 60 * MINUTE, desc: 'Life of a bearer token.' }),
  REFRESH_TOKEN_TTL_SECONDS: integer(
    MINUTE,
    365 * DAY,
  )({
    default: 30 * DAY,
    desc: 'Life of a refresh token; each works once.',
  }),
  SIGN_IN_ATTEMPTS_PER_MINUTE: integer(
    1,
    10_000,
  )({
    default: 10,
    desc: 'Sign-in and registration attempts per address in a minute; per account, from everywhere, ten times that.',
  }),
  CREDENTIAL_TTL_SECONDS: integer(
    300,
    600,
  )({
    default: 600,
    desc: 'Life of a controlled credential.',
  }),
  INTERRUPT_TTL_SECONDS: integer(
    30,
    7 * 24 * 3600,
  )({
    default: 3600,
    desc: 'How long an approval or a question waits for its answer. Outside of runs it ends with the credential under which was asked, too.',
  }),
  CLI_EXECUTOR: str({
    choices: ['process', 'inline', 'http'],
    default: undefined,
    desc: 'How the agent runtime executes a call. process: in a child process with project-cli. inline: in this process. http: by a request to the tool door at PROJECT_CLI_ENDPOINT. Default: http for a worker, otherwise process.',
  }),
  CLI_TIMEOUT_MS: integer(
    1000,
    300_000,
  )({
    default: 30_000,
    desc: 'Milliseconds after which a project-cli child is killed, or a request to the tool door given up.',
  }),
  CLI_OUTPUT_MAX_BYTES: integer(
    1024,
    64 * 1024 * 1024,
  )({
    default: 2 * 1024 * 1024,
    desc: 'Bytes of output after which a project-cli child is killed, or an answer of the tool door given up.',
  }),
  PROJECT_CLI_ENDPOINT: httpUrl({
    default: undefined,
    desc: 'Base URL at which calls of project_cli reach the tool door: from a child, from a worker. Default: the listening address.',
  }),
  TOOL_OUTPUT_MAX_BYTES: integer(
    1024,
    64 * 1024 * 1024,
  )({
    default: 1024 * 1024,
    desc: 'Largest projection of one result; past it the call fails with OUTPUT_TOO_LARGE.',
  }),
  TOOL_OUTPUT_STORAGE: str({
    choices: ['auto', 'always', 'never'],
    default: 'auto',
    desc: 'Which records of tool calls go to the object store: those above TOOL_OUTPUT_INLINE_MAX_BYTES, all or none. May be changed at any time; what is stored already stays readable.',
  }),
  TOOL_OUTPUT_INLINE_MAX_BYTES: integer(
    0,
    16 * 1024 * 1024,
  )({
    default: 16 * 1024,
    desc: 'Largest record that `auto` keeps in the database, in bytes of JSON.',
  }),
  TOOL_OUTPUT_READ_TIMEOUT_MS: integer(
    50,
    60_000,
  )({
    default: 2_000,
    desc: 'Milliseconds after which history and streams show the summary of a record that the object store has not given back.',
  }),
  TOOL_OUTPUT_WRITE_TIMEOUT_MS: integer(
    50,
    60_000,
  )({
    default: 2_000,
    desc: 'Milliseconds after which a record that the object store has not taken stays in the database until the sweeper moves it.',
  }),
  TOOL_OUTPUT_SWEEP_SECONDS: integer(
    1,
    3600,
  )({
    default: 30,
    desc: 'Seconds between two sweeps, which move records that could not be stored and delete objects of deleted threads; more while the object store does not answer.',
  }),
  AUDIT_RETENTION_DAYS: integer(
    0,
    36_500,
  )({
    default: 0,
    desc: 'Days after which entries of the audit are removed, oldest first; a signed checkpoint stays in their place. 0: never.',
  }),
  CALENDAR_IMPORT_FROM: str({
    choices: ['internet', 'listed', 'off'],
    default: 'internet',
    desc: 'Where calendars may be imported from by URL. internet: https on hosts with public addresses, and CALENDAR_IMPORT_ORIGINS. listed: the latter alone. off: nowhere.',
  }),
  CALENDAR_IMPORT_ORIGINS: origins({
    default: [],
    desc: 'Origins (http://10.0.0.5:8080) from which calendars may be imported although they lie inside the network, speak plain http or use another port; comma-separated. Every user can make the server read them.',
  }),
  MODEL_BASE_URL: httpUrl({
    default: undefined,
    desc: 'OpenAI-compatible endpoint (…/v1). Absent: the offline planner, which needs no key.',
  }),
  MODEL_API_KEY: str({ default: undefined, desc: 'Key of that endpoint, where it wants one.' }),
  MODEL_NAME: str({
    default: undefined,
    desc: 'Model at that endpoint; required with MODEL_BASE_URL.',
  }),
  MODEL_FIRST_BYTE_TIMEOUT_MS: integer(
    100,
    600_000,
  )({
    default: 60_000,
    desc: 'Milliseconds until the first byte of a model’s answer after which a try fails.',
  }),
  MODEL_TIMEOUT_MS: integer(
    100,
    600_000,
  )({
    default: 60_000,
    desc: 'Milliseconds without a byte within a model’s answer after which a try fails.',
  }),
  MODEL_MAX_ATTEMPTS: integer(
    1,
    10,
  )({
    default: 3,
    desc: 'Tries of a model’s turn, the first one included, while nothing of it was said.',
  }),
  MODEL_RETRY_BASE_MS: integer(
    1,
    60_000,
  )({
    default: 500,
    desc: 'Milliseconds before the second try; each further wait is twice as long, less up to half by chance.',
  }),
  MODEL_RETRY_MAX_MS: integer(
    1,
    300_000,
  )({
    default: 20_000,
    desc: 'Longest wait before a try; an endpoint that asks for a longer one is not tried again.',
  }),
  MODEL_EXTRA_BODY: jsonObject({
    default: undefined,
    desc: 'JSON object of members that the endpoint knows besides OpenAI’s, such as {"enable_thinking":false}.',
  }),
  MODEL_RETURN_REASONING: flag({
    default: false,
    desc: 'Give the model back what it reasoned before its calls (reasoning_content), which DeepSeek’s thinking mode requires.',
  }),
  MODEL_FALLBACK_BASE_URL: httpUrl({
    default: undefined,
    desc: 'Endpoint of the fallback model; absent: that of MODEL_BASE_URL.',
  }),
  MODEL_FALLBACK_API_KEY: str({
    default: undefined,
    desc: 'Key of the fallback endpoint; without MODEL_FALLBACK_BASE_URL absent means MODEL_API_KEY.',
  }),
  MODEL_FALLBACK_NAME: str({
    default: undefined,
    desc: 'Model that takes over for the rest of a run once the tries of the first are used up.',
  }),
  MODEL_REASONING: str({
    choices: ['show', 'hide'],
    default: 'show',
    desc: 'show: what a model says it thinks is streamed, kept in history and exported, without credentials. hide: it is dropped. Only MODEL_RETURN_REASONING shows it to the model again.',
  }),
  MEMORY_CONTEXT_MAX_FACTS: integer(
    0,
    100,
  )({
    default: 12,
    desc: 'Facts remembered about the person that a run begins with, at most; 0 is none.',
  }),
  MEMORY_CONTEXT_MAX_CHARACTERS: integer(
    0,
    20_000,
  )({
    default: 2_000,
    desc: 'Characters that those facts may take in the system message, at most.',
  }),
  MODEL_INPUT: listOf(['text', 'image', 'file'])({
    default: ['text', 'image'],
    desc: 'What the model takes: text; image for pictures that people attach; file for PDF. What it does not take is named to it in words.',
  }),
  ATTACHMENT_MAX_BYTES: integer(
    1024,
    64 * 1024 * 1024,
  )({ default: 10 * 1024 * 1024, desc: 'Largest file that a person may attach, in bytes.' }),
  ATTACHMENT_USER_MAX_BYTES: integer(
    1024,
    2 ** 40,
  )({
    default: 512 * 1024 * 1024,
    desc: 'Bytes that all files of one person may have together.',
  }),
  ATTACHMENT_TYPES: listOf(ATTACHMENT_TYPES)({
    default: ATTACHMENT_TYPES,
    desc: 'Types of files that are accepted, comma-separated; found in the content, not in the name.',
  }),
  CONTEXT_MAX_TOKENS: integer(
    6_000,
    2_000_000,
  )({
    default: 32_000,
    desc: 'Tokens of one request to the model, at most: system message, tool, conversation and 2,000 for the answer. Older results are shown as summaries and the oldest messages left out where they do not fit. Not above the model’s own limit.',
  }),
  RUN_MAX_TURNS: integer(1, 100)({ default: 12, desc: 'Model turns in a run.' }),
  RUN_MAX_IDENTICAL_CALLS: integer(
    2,
    100,
  )({
    default: 3,
    desc: 'Identical tool calls in a row that end a run; so do up to four different ones in turn, so often.',
  }),
  RUN_MAX_CALLS: integer(1, 10_000)({ default: 100, desc: 'Tool calls in a run.' }),
  RUN_MAX_TOKENS: integer(
    0,
    100_000_000,
  )({
    default: 0,
    desc: 'Tokens of all model turns of a run, read and written, past which it gets no further turn; 0: no limit.',
  }),
  RUN_TIMEOUT_SECONDS: integer(
    5,
    600,
  )({
    default: 280,
    desc: 'Life of a run; not above CREDENTIAL_TTL_SECONDS, under whose credential it acts.',
  }),
  RUN_CONCURRENCY: integer(
    1,
    1000,
  )({ default: 16, desc: 'Runs executed at once by this process.' }),
  RUN_CONCURRENCY_PER_USER: integer(
    1,
    1000,
  )({
    default: 8,
    desc: 'Runs of one user that this process executes at once; the others wait for their turn.',
  }),
  RUN_MAX_ACTIVE_PER_USER: integer(
    1,
    10_000,
  )({
    default: 50,
    desc: 'Runs of one user that may be queued or under way, in all processes; past it a new one gets 429.',
  }),
  RUN_QUEUE_MAX: integer(
    1,
    100_000,
  )({
    default: 200,
    desc: 'Runs of all users that may wait for a place, in all processes; past it a new one gets 429.',
  }),
  RUN_LEASE_SECONDS: integer(
    5,
    300,
  )({
    default: 15,
    desc: 'Seconds without a heartbeat after which a run of a dead process is taken up by another.',
  }),
  RUN_MAX_ATTEMPTS: integer(
    1,
    20,
  )({
    default: 3,
    desc: 'Processes that may die while they execute a run before it is given up.',
  }),
  RUN_ON_DISCONNECT: str({
    choices: ['continue', 'cancel'],
    default: 'continue',
    desc: 'What a client that leaves the streaming POST does to its run.',
  }),
  SCHEDULER_MIN_INTERVAL_SECONDS: integer(
    60,
    86_400,
  )({
    default: 300,
    desc: 'Seconds that two times of a scheduled task must be apart.',
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
  SKILLS_DIR: str({ default: 'skills', desc: 'Folder of skill documents: NAME/SKILL.md.' }),
  ENABLED_SKILLS: list({
    default: ['*'],
    desc: 'Skills that models see; * is all. Grants nothing.',
  }),
} as const satisfies Record<string, ValidatorSpec<unknown>>;

/** Variables whose values never appear in a message or a log. */
export const SECRET_VARIABLES: ReadonlySet<string> = new Set([
  'DATABASE_URL',
  'REDIS_URL',
  'AUTH_SIGNING_KEY',
  'AUTH_VERIFY_KEYS',
  'METRICS_TOKEN',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'MODEL_API_KEY',
  'MODEL_FALLBACK_API_KEY',
  'S3_ACCESS_KEY',
  'S3_SECRET_KEY',
]);
