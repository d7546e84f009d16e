import { describe, expect, it, jest } from '@jest/globals';
import { preparesConnections } from './prepare-connection.js';

/** A connection whose server refuses every setting with that SQLSTATE, or is gone. */
function refusing(code?: string) {
  const refusal = Object.assign(new Error('no'), code === undefined ? {} : { code });
  return { query: () => Promise.reject(refusal), end: () => Promise.resolve() };
}

describe('a new connection', () => {
  it.each(['22023', '42704', '0A000'])(
    'is used where its clients are not looked after (%s)',
    async (code) => {
      await expect(preparesConnections()(refusing(code))).resolves.toBeUndefined();
    },
  );

  it.each([undefined, '57P01', 'ECONNRESET'])('is not used when it fails (%s)', async (code) => {
    await expect(preparesConnections()(refusing(code))).rejects.toThrow('no');
  });

  it('is used where its statements cannot be cancelled, which is told once for each pool', async () => {
    const warn = jest.fn();
    const prepare = preparesConnections(warn);
    await prepare(refusing('0A000'));
    await prepare(refusing('0A000'));
    expect(warn).toHaveBeenCalledTimes(1);
    expect(warn).toHaveBeenCalledWith(expect.stringContaining('no key for cancelling'));
  });
});
