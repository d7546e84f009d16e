import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { createEmptyDatabase } from '../../test/support/database.js';
import { MIGRATIONS } from '../../migrations/index.js';
import { pendingMigrations, runMigrations } from './data-source.js';

const NAMES = MIGRATIONS.map((migration) => migration.name);

describe('migrations', () => {
  let url: string;
  let drop: () => Promise<void>;

  const executed = async (): Promise<string[]> => {
    const client = new Client({ connectionString: url });
    await client.connect();
    try {
      const { rows } = await client.query<{ name: string }>('SELECT name FROM migrations');
      return rows.map(({ name }) => name);
    } finally {
      await client.end();
    }
  };

  beforeEach(async () => {
    ({ url, drop } = await createEmptyDatabase());
  });

  afterEach(() => drop());

  it('run once each when several replicas start together on an empty database', async () => {
    const ran = await Promise.all([1, 2, 3, 4].map(() => runMigrations(url)));
    expect(ran.flat().toSorted()).toEqual(NAMES.toSorted());
    expect((await executed()).toSorted()).toEqual(NAMES.toSorted());
  });

  it('are named as pending until they have run, without being run (MIGRATIONS=manual)', async () => {
    expect(await pendingMigrations(url)).toEqual(NAMES);
    expect(await pendingMigrations(url)).toEqual(NAMES);
    await runMigrations(url);
    expect(await pendingMigrations(url)).toEqual([]);
    const client = new Client({ connectionString: url });
    await client.connect();
    await client.query('DELETE FROM migrations WHERE name = $1', [NAMES.at(-1)]);
    await client.end();
    expect(await pendingMigrations(url)).toEqual(NAMES.slice(-1));
  });
});
