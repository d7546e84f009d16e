import { str } from 'envalid';
import { integer } from './kinds.js';
import { defineTheme } from './theme.js';

/** What this process does, and how it stops. */
export const PROCESS = defineTheme({
  title: 'Process',
  variables: {
    ROLE: str({
      choices: ['all', 'api', 'worker'],
      default: 'all',
      desc: 'What this process does. all: everything. api: serves clients and executes no runs. worker: executes runs and serves only its probes; needs DATABASE_URL and PROJECT_CLI_ENDPOINT.',
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
  },
});
