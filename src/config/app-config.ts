import { cleanEnv } from 'envalid';
import { StartupError } from '../common/startup-error.js';
import { SECRET_VARIABLES, VARIABLES } from './variables.js';

/** A configuration that cannot be started with; the message is for the person at the terminal. */
export class ConfigError extends StartupError {
  constructor(readonly problems: string[]) {
    super(
      `Steward cannot start: ${problems.length === 1 ? 'a variable is' : 'variables are'} wrong.\n` +
        problems.map((problem) => `  - ${problem}`).join('\n') +
        '\nEvery variable is described in docs/CONFIGURATION.md.',
    );
  }
}

function read(env: NodeJS.ProcessEnv) {
  const problems: string[] = [];
  const values = cleanEnv(env, VARIABLES, {
    reporter: ({ errors }) => {
      for (const [name, error] of Object.entries(errors)) {
        const shown = SECRET_VARIABLES.has(name) ? '(hidden)' : withoutKeys(env[name]);
        problems.push(`${name}=${shown}: ${error?.message ?? 'is not accepted'}`);
      }
    },
  });
  if (problems.length === 0) {
    if (values.MODEL_BASE_URL && !values.MODEL_NAME) {
      problems.push('MODEL_NAME is missing: it must name a model when MODEL_BASE_URL is set');
    }
    for (const name of ['MODEL_NAME', 'MODEL_API_KEY'] as const) {
      if (values[name] && !values.MODEL_BASE_URL) {
        problems.push(`${name} is set without MODEL_BASE_URL: set that too, or neither`);
      }
    }
    if (values.MODEL_FALLBACK_NAME && !values.MODEL_BASE_URL) {
      problems.push('MODEL_FALLBACK_NAME is set without MODEL_BASE_URL: set that too, or neither');
    }
    for (const name of ['MODEL_FALLBACK_BASE_URL', 'MODEL_FALLBACK_API_KEY'] as const) {
      if (values[name] && !values.MODEL_FALLBACK_NAME) {
        problems.push(`${name} is set without MODEL_FALLBACK_NAME: set that too, or neither`);
      }
    }
    for (const name of ['S3_ACCESS_KEY', 'S3_SECRET_KEY'] as const) {
      if (values.S3_ENDPOINT && !values[name]) {
        problems.push(`${name} is missing: it is required when S3_ENDPOINT is set`);
      } else if (values[name] && !values.S3_ENDPOINT) {
        problems.push(`${name} is set without S3_ENDPOINT: set that too, or neither`);
      }
    }
    if (values.ROLE === 'worker') problems.push(...missingOfWorker(values));
    if (values.RUN_TIMEOUT_SECONDS > values.CREDENTIAL_TTL_SECONDS) {
      problems.push(
        `RUN_TIMEOUT_SECONDS=${values.RUN_TIMEOUT_SECONDS}: must not be above CREDENTIAL_TTL_SECONDS=${values.CREDENTIAL_TTL_SECONDS}`,
      );
    }
  }
  if (problems.length > 0) throw new ConfigError(problems);
  const byRole = values.ROLE === 'worker' ? 'http' : 'process';
  return { ...values, CLI_EXECUTOR: values.CLI_EXECUTOR ?? byRole };
}

/** What a worker cannot do without: the state that it shares, and the door that executes its calls. */
function missingOfWorker(values: {
  DATABASE_URL?: string | undefined;
  PROJECT_CLI_ENDPOINT?: string | undefined;
  CLI_EXECUTOR?: string | undefined;
}): string[] {
  const problems: string[] = [];
  if (!values.DATABASE_URL) {
    problems.push('DATABASE_URL is missing: a worker shares the database of the API replicas');
  }
  if (!values.PROJECT_CLI_ENDPOINT) {
    problems.push(
      'PROJECT_CLI_ENDPOINT is missing: a worker needs the base URL of an API replica, whose tool door executes its calls',
    );
  }
  if (values.CLI_EXECUTOR === 'inline') {
    problems.push('CLI_EXECUTOR="inline": a worker executes no calls itself; http or process');
  }
  return problems;
}

/** A value as it may be shown: a URL keeps nothing of what stands before its host. */
function withoutKeys(value: string | undefined): string {
  return JSON.stringify(value?.replace(/\/\/[^/]*@/g, '//(hidden)@'));
}

/**
 * The validated configuration, one property per variable of `variables.ts`. Only `readConfig`
 * looks at `process.env`; everything else is given this by injection.
 */
export type AppConfig = Readonly<ReturnType<typeof read>>;

/** Injection token of AppConfig. */
export const APP_CONFIG = Symbol('APP_CONFIG');

/**
 * Reads and checks the environment.
 * @throws ConfigError naming every bad variable, what is wrong and what is accepted.
 */
export function readConfig(env: NodeJS.ProcessEnv = process.env): AppConfig {
  return Object.freeze({ ...read(env) });
}
