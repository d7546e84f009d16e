import type { VARIABLES } from './variables.js';

type VariableName = keyof typeof VARIABLES;

/** The order in which docs/CONFIGURATION.md explains the variables; each stands in one theme. */
export const THEMES: readonly { title: string; variables: readonly VariableName[] }[] = [
  {
    title: 'Process',
    variables: ['ROLE', 'SHUTDOWN_GRACE_MS', 'LOG_LEVEL'],
  },
  {
    title: 'Observability',
    variables: ['METRICS_TOKEN'],
  },
  {
    title: 'HTTP server',
    variables: [
      'PORT',
      'HOST',
      'PUBLIC_URL',
      'TRUST_PROXY',
      'CORS_ORIGINS',
      'HTTP_BODY_MAX_BYTES',
      'RATE_LIMIT_PER_MINUTE',
      'REFUSED_CREDENTIALS_PER_MINUTE',
      'TOOL_RATE_LIMIT_PER_MINUTE',
      'SSE_HEARTBEAT_MS',
      'SSE_STALL_MS',
    ],
  },
  {
    title: 'Data',
    variables: ['DATA_DIR', 'DATABASE_URL', 'DATABASE_POOL_SIZE', 'MIGRATIONS', 'REDIS_URL'],
  },
  {
    title: 'Object store',
    variables: [
      'S3_ENDPOINT',
      'S3_ACCESS_KEY',
      'S3_SECRET_KEY',
      'S3_BUCKET',
      'S3_REGION',
      'S3_PATH_STYLE',
      'S3_CREATE_BUCKET',
      'S3_CONNECT_TIMEOUT_MS',
      'S3_TIMEOUT_MS',
    ],
  },
  {
    title: 'Accounts and tokens',
    variables: [
      'AUTH_REGISTRATION',
      'AUTH_SIGNING_KEY',
      'AUTH_VERIFY_KEYS',
      'ACCESS_TOKEN_TTL_SECONDS',
      'REFRESH_TOKEN_TTL_SECONDS',
      'SIGN_IN_ATTEMPTS_PER_MINUTE',
      'CREDENTIAL_TTL_SECONDS',
      'AUDIT_RETENTION_DAYS',
    ],
  },
  {
    title: 'Tool calls',
    variables: [
      'CLI_EXECUTOR',
      'CLI_TIMEOUT_MS',
      'CLI_OUTPUT_MAX_BYTES',
      'PROJECT_CLI_ENDPOINT',
      'INTERRUPT_TTL_SECONDS',
      'TOOL_OUTPUT_MAX_BYTES',
      'TOOL_OUTPUT_STORAGE',
      'TOOL_OUTPUT_INLINE_MAX_BYTES',
      'TOOL_OUTPUT_READ_TIMEOUT_MS',
      'TOOL_OUTPUT_WRITE_TIMEOUT_MS',
      'TOOL_OUTPUT_SWEEP_SECONDS',
    ],
  },
  {
    title: 'Calendar',
    variables: ['CALENDAR_IMPORT_FROM', 'CALENDAR_IMPORT_ORIGINS'],
  },
  {
    title: 'Model and skills',
    variables: [
      'MODEL_BASE_URL',
      'MODEL_API_KEY',
      'MODEL_NAME',
      'MODEL_TIMEOUT_MS',
      'MEMORY_CONTEXT_MAX_FACTS',
      'MEMORY_CONTEXT_MAX_CHARACTERS',
      'MODEL_INPUT',
      'MODEL_REASONING',
      'SKILLS_DIR',
      'ENABLED_SKILLS',
    ],
  },
  {
    title: 'Runs',
    variables: [
      'CONTEXT_MAX_TOKENS',
      'ATTACHMENT_MAX_BYTES',
      'ATTACHMENT_USER_MAX_BYTES',
      'ATTACHMENT_TYPES',
      'RUN_MAX_TURNS',
      'RUN_MAX_IDENTICAL_CALLS',
      'RUN_TIMEOUT_SECONDS',
      'RUN_CONCURRENCY',
      'RUN_CONCURRENCY_PER_USER',
      'RUN_MAX_ACTIVE_PER_USER',
      'RUN_QUEUE_MAX',
      'RUN_LEASE_SECONDS',
      'RUN_MAX_ATTEMPTS',
      'RUN_ON_DISCONNECT',
    ],
  },
  { title: 'Scheduled tasks', variables: ['SCHEDULER_MIN_INTERVAL_SECONDS'] },
];
