import { describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { StewardError } from '../../common/steward-error.js';
import { FailureLog } from './failure-log.js';

const JWT = [{ alg: 'EdDSA' }, { sub: 'usr_1' }]
  .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
  .concat('c2lnbmF0dXJl')
  .join('.');

function linesOf(error: StewardError): string[] {
  const write = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
  try {
    new FailureLog().log('calendar.read', error);
    return write.mock.calls.map(([line]) => String(line));
  } finally {
    write.mockRestore();
  }
}

const failure = (cause?: unknown) =>
  new StewardError('INTERNAL', 'It failed.', {}, cause === undefined ? {} : { cause });

describe('FailureLog', () => {
  it('tells the cause with the call and the code', () => {
    const [line] = linesOf(failure(new Error('no such column')));
    expect(line).toMatch(/^calendar\.read failed with INTERNAL: Error: no such column/);
  });

  it.each([
    ['an error', new Error(`refused ${JWT}`)],
    ['a text', `Authorization: Bearer ${JWT}`],
    ['JSON in a text', `sent {"password": "${JWT.slice(0, 12)}"} there`],
  ])('shows no credential of %s', (_name, cause) => {
    const [line] = linesOf(failure(cause));
    expect(line).toContain('[redacted]');
    expect(line).not.toContain(JWT.slice(0, 12));
  });

  it('is silent about what the caller can correct', () => {
    expect(linesOf(failure())).toEqual([]);
  });
});
