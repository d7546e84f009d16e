import { describe, expect, it } from '@jest/globals';
import { databaseUrl } from '../../test/support/database.js';
import { ConfigError } from '../config/app-config.js';
import { openDatabase } from './open-database.js';

async function refusal(change: (url: URL) => void): Promise<string> {
  const url = new URL(databaseUrl('postgres'));
  change(url);
  const config = { DATABASE_URL: url.toString(), DATA_DIR: '.data', DATABASE_POOL_SIZE: 2 };
  const error: unknown = await openDatabase(config, () => undefined).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ConfigError)) throw new Error(`No refusal: ${String(error)}`);
  return error.message;
}

describe('openDatabase with DATABASE_URL', () => {
  it('uses that database and starts none', async () => {
    const url = databaseUrl('postgres');
    const config = { DATABASE_URL: url, DATA_DIR: '.data', DATABASE_POOL_SIZE: 2 };
    const database = await openDatabase(config, () => undefined);
    expect(database).toMatchObject({ url, embedded: false });
    await database.close();
  });

  it('says that the password is wrong without showing it', async () => {
    const message = await refusal((url) => (url.password = 'hunter2%40'));
    expect(message).toMatch(
      /DATABASE_URL=\(hidden\): cannot connect to 127\.0\.0\.1:\d+\/postgres: /,
    );
    expect(message).toContain('password authentication failed');
    expect(message).not.toMatch(/hunter2/);
  });

  it('names the database that does not exist', async () => {
    expect(await refusal((url) => (url.pathname = '/nowhere'))).toContain(
      'database "nowhere" does not exist',
    );
  });

  it('names the server that does not answer', async () => {
    const message = await refusal((url) => {
      url.port = '1';
      url.password = 'hunter2';
    });
    expect(message).toMatch(/cannot connect to 127\.0\.0\.1:1\/postgres: .*ECONNREFUSED/);
    expect(message).not.toContain('hunter2');
  });
});
