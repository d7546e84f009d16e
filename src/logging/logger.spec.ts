import { describe, expect, it } from '@jest/globals';
import { QueryFailedError } from 'typeorm';
import { readConfig } from '../config/app-config.js';
import { createLogger, NestLogger } from './logger.js';

const JWT = [{ alg: 'EdDSA' }, { sub: 'usr_1' }]
  .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
  .concat('c2lnbmF0dXJl')
  .join('.');
const CANARY = 'canary-4711';

/** A request as its serialiser gives it: no plain object, and found by place alone. */
class SerialisedRequest {
  headers = {
    authorization: `Basic ${CANARY}`,
    cookie: CANARY,
    'x-api-key': CANARY,
    accept: '*/*',
  };
}

class SerialisedResponse {
  headers = { 'set-cookie': CANARY, etag: '"7"' };
}

function logged(): {
  logger: ReturnType<typeof createLogger>;
  text: () => string;
  last: () => Record<string, unknown>;
} {
  const lines: string[] = [];
  const logger = createLogger(readConfig({ LOG_LEVEL: 'trace' }), {
    write: (line: string) => void lines.push(line),
  });
  return {
    logger,
    text: () => lines.join(''),
    last: () => JSON.parse(lines.at(-1) ?? '') as Record<string, unknown>,
  };
}

function failedQuery(state: string, message: string): QueryFailedError {
  const driver = Object.assign(new Error(message), {
    code: state,
    detail: `Key (email)=(${CANARY}@example.com) already exists.`,
    where: CANARY,
  });
  return new QueryFailedError(`INSERT INTO users VALUES ('${CANARY}')`, [CANARY], driver);
}

describe('createLogger', () => {
  it('hides what stands in places of requests and responses that carry secrets', () => {
    const log = logged();
    log.logger.info({ req: new SerialisedRequest(), res: new SerialisedResponse() }, 'request');
    log.logger.child({ req: new SerialisedRequest() }).info('of a child');
    expect(log.text()).not.toContain(CANARY);
    expect(log.text()).toContain('*/*');
    expect(log.text()).toContain('\\"7\\"');
  });

  it.each<[string, object]>([
    ['at the top', { password: CANARY }],
    ['deep inside', { a: { b: [{ c: { access_token: CANARY } }] } }],
    ['in JSON within a text', { body: JSON.stringify({ refreshToken: CANARY }) }],
    ['a bearer header in a text', { note: `Authorization: Bearer ${CANARY}` }],
    ['a JWT in a text', { note: `see ${JWT}, please` }],
  ])('hides a credential %s', (_where, fields) => {
    const log = logged();
    log.logger.info({ ...fields, kept: 'kept' }, 'message');
    expect(log.text()).not.toContain(CANARY);
    expect(log.text()).not.toContain(JWT);
    expect(log.last()).toMatchObject({ kept: 'kept', msg: 'message' });
  });

  it.each([
    ['a message', (log: ReturnType<typeof logged>) => log.logger.warn(`token ${JWT}`)],
    [
      'JSON in a message',
      (log: ReturnType<typeof logged>) => log.logger.warn(`sent {"password": "${CANARY}"} there`),
    ],
    ['a value of a format', (log: ReturnType<typeof logged>) => log.logger.warn('token %s', JWT)],
    [
      'a named value of a message',
      (log: ReturnType<typeof logged>) => log.logger.warn(`no login: password=${CANARY}, sorry`),
    ],
    [
      'a URL',
      (log: ReturnType<typeof logged>) => log.logger.warn(`lost postgres://me:${CANARY}@host/x`),
    ],
    [
      'a binding of a child',
      (log: ReturnType<typeof logged>) => log.logger.child({ url: `/x?t=${JWT}` }).warn('x'),
    ],
    [
      'a message through Nest',
      (log: ReturnType<typeof logged>) =>
        new NestLogger(log.logger).error(`Bearer ${JWT}`, `at ${JWT}`, 'Context'),
    ],
  ])('hides a credential in %s', (_where, write) => {
    const log = logged();
    write(log);
    expect(log.text()).not.toContain(JWT);
    expect(log.text()).not.toContain(CANARY);
    expect(log.text()).toContain('[redacted]');
  });

  it.each<[string, (log: ReturnType<typeof logged>, error: Error) => void]>([
    ['as err', (log, error) => log.logger.error({ err: error }, 'failed')],
    ['alone', (log, error) => log.logger.error(error)],
    ['under another name', (log, error) => log.logger.error({ reason: error }, 'failed')],
    ['through Nest', (log, error) => new NestLogger(log.logger).error(error, 'Context')],
    [
      'as a cause',
      (log, error) => log.logger.error({ err: new Error('outer', { cause: error }) }, 'failed'),
    ],
  ])('shows a failed statement without its text and its values, %s', (_how, write) => {
    const log = logged();
    write(
      log,
      failedQuery('23505', 'duplicate key value violates unique constraint "users_email"'),
    );
    expect(log.text()).not.toContain(CANARY);
    expect(log.text()).not.toMatch(/INSERT|parameters|driverError/);
    expect(log.text()).toContain('23505');
    expect(log.text()).toContain('users_email');
    expect(log.text()).toContain('logger.spec.ts');
  });

  it('leaves out the value that PostgreSQL quotes when it cannot read it', () => {
    const log = logged();
    log.logger.error(failedQuery('22P02', `invalid input syntax for type uuid: "${CANARY}"`));
    expect(log.text()).not.toContain(CANARY);
    expect(log.last()).toMatchObject({
      err: { type: 'QueryFailedError', code: '22P02' },
      msg: 'invalid input syntax for type uuid: "[redacted]"',
    });
  });

  it('hides a token in what an error says, and keeps the rest of the line', () => {
    const log = logged();
    log.logger.error({ err: new TypeError(`no user for ${JWT}`), runId: 'run_1' });
    expect(log.text()).not.toContain(JWT);
    expect(log.last()).toMatchObject({
      runId: 'run_1',
      msg: 'no user for [redacted]',
      err: { type: 'TypeError', message: 'no user for [redacted]' },
    });
  });
});
