import type { LoggerService } from '@nestjs/common';
import { pino, type DestinationStream, type LogFn, type Logger, type LoggerOptions } from 'pino';
import type { AppConfig } from '../config/app-config.js';
import { redactTokens } from '../tool-output/credential-text.js';
import { logContext } from './log-context.js';
import { stdoutLog } from './log-output.js';
import { logError, redactFields, redactLine } from './redact-log.js';

/**
 * Places in a log line that may carry a secret; the value is replaced whatever it is. These reach
 * what serialisers make of requests and responses, too.
 */
const REDACTED_PATHS = [
  'req.headers.authorization',
  'req.headers.cookie',
  'req.headers["x-api-key"]',
  'res.headers["set-cookie"]',
  'authorization',
  'credential',
  'password',
  'token',
  '*.authorization',
  '*.credential',
  '*.password',
  '*.token',
];

/** Nest's account of its own start, a line per module and route; of interest when it fails. */
const BOOT_CONTEXTS = new Set([
  'InstanceLoader',
  'NestApplication',
  'NestFactory',
  'RouterExplorer',
  'RoutesResolver',
]);

/** The message of a line: what an error says of itself where the caller says nothing. */
function logRedacted(this: Logger, args: Parameters<LogFn>, method: LogFn): void {
  const [first, ...rest] = args as unknown[];
  const error: unknown =
    first instanceof Error ? first : first && Reflect.get(Object(first), 'err');
  const texts = rest.map((part) => (typeof part === 'string' ? redactLine(part) : part));
  if (error instanceof Error && typeof texts[0] !== 'string') {
    const logged = logError(error);
    texts.unshift(typeof logged === 'string' ? logged : logged.message);
  }
  const start = typeof first === 'string' ? redactLine(first) : first;
  method.apply(this, [start, ...texts] as Parameters<LogFn>);
}

/**
 * The process's logger: one JSON line per entry on stdout, or readable lines on a terminal.
 * Everything that is logged goes through here, so redaction has one place.
 */
export function createLogger(config: AppConfig, destination?: DestinationStream): Logger {
  const options: LoggerOptions = {
    level: config.LOG_LEVEL,
    redact: { paths: REDACTED_PATHS, censor: '[redacted]' },
    serializers: { err: logError },
    formatters: { log: (fields) => redactFields(fields) },
    // What a line says of itself goes before what its work is.
    mixin: () => ({ ...logContext() }),
    // The last look is at the finished line, whatever way a token came into it.
    hooks: { logMethod: logRedacted, streamWrite: redactTokens },
    base: undefined,
  };
  if (destination) return pino(options, destination);
  if (!process.stdout.isTTY) return pino(options, stdoutLog());
  return pino({
    ...options,
    transport: {
      target: 'pino-pretty',
      options: { translateTime: 'SYS:HH:MM:ss', ignore: 'pid,hostname,context', singleLine: true },
    },
  });
}

/** Lets Nest and every `new Logger(Class.name)` write to pino. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, ...rest: unknown[]): void {
    this.write(BOOT_CONTEXTS.has(String(rest.at(-1))) ? 'debug' : 'info', message, rest);
  }
  error(message: unknown, ...rest: unknown[]): void {
    this.write('error', message, rest);
  }
  warn(message: unknown, ...rest: unknown[]): void {
    this.write('warn', message, rest);
  }
  debug(message: unknown, ...rest: unknown[]): void {
    this.write('debug', message, rest);
  }
  verbose(message: unknown, ...rest: unknown[]): void {
    this.write('trace', message, rest);
  }
  fatal(message: unknown, ...rest: unknown[]): void {
    this.write('fatal', message, rest);
  }

  private write(
    level: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal',
    message: unknown,
    rest: unknown[],
  ): void {
    const context = rest.length > 0 && typeof rest.at(-1) === 'string' ? rest.at(-1) : undefined;
    const stack = rest.length > 1 && typeof rest[0] === 'string' ? rest[0] : undefined;
    if (message instanceof Error) this.logger[level]({ context, err: message }, message.message);
    else if (typeof message === 'object' && message !== null) {
      this.logger[level]({ context, ...message });
    } else this.logger[level]({ context, ...(stack ? { stack } : {}) }, String(message));
  }
}
