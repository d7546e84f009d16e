import { describe, expect, it } from '@jest/globals';
import { QueryFailedError } from 'typeorm';
import { StewardError } from '../common/steward-error.js';
import { isPassingFailure } from './passing-failure.js';

const failed = (code: string) =>
  new QueryFailedError('SELECT 1', [], Object.assign(new Error('failed'), { code }));
const broken = (code: string) => Object.assign(new Error('broken'), { code });

describe('isPassingFailure', () => {
  it.each([
    ['57P01', failed('57P01')],
    ['a deadlock', failed('40P01')],
    ['a conflict of transactions', failed('40001')],
    ['a statement that took too long', failed('57014')],
    ['no space or connection left', failed('53300')],
    ['a server that has become a standby', failed('25006')],
    ['a socket that was reset', broken('ECONNRESET')],
    ['a pool without a connection', new Error('timeout exceeded when trying to connect')],
    [
      'an error of ours with that as its cause',
      new StewardError('DEPENDENCY_UNAVAILABLE', 'away', {}, { cause: failed('40P01') }),
    ],
  ])('is true for %s', (_what, error) => {
    expect(isPassingFailure(error)).toBe(true);
  });

  it.each([
    ['a row that is there already', failed('23505')],
    ['a wrong statement', failed('42601')],
    ['a code that another library has', broken('40P01')],
    ['an error of ours', new StewardError('DEPENDENCY_UNAVAILABLE', 'The model gave up.')],
    ['no error', 'ECONNRESET'],
  ])('is false for %s', (_what, error) => {
    expect(isPassingFailure(error)).toBe(false);
  });
});
