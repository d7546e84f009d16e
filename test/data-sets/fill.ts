import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import { eventTexts, factTexts, people } from './vocabulary.js';

/** Numbers of the issue: what one person has, and all others together as much again. */
export const EVENTS = 100_000;
export const CONTACTS = 20_000;
export const FACTS = 20_000;

const sql = (name: string): string =>
  readFileSync(join(import.meta.dirname, `${name}.sql`), 'utf8');

/** Fills the tables for `owner` and for fifty others; `guest` is invited to events of the owner. */
export async function fillDataSets(
  database: DataSource,
  owner: string,
  guest: string,
): Promise<void> {
  const sets: [string, number, object[]][] = [
    ['events', EVENTS, eventTexts()],
    ['contacts', CONTACTS, people()],
    ['facts', FACTS, factTexts()],
  ];
  await withoutWordIndexes(database, async () => {
    for (const [name, count, texts] of sets) {
      const words = JSON.stringify(texts);
      await database.query(sql(name), [owner, count, 1, words]);
      await database.query(sql(name), [null, count, count + 1, words]);
    }
    await database.query(sql('attendees'), [owner, guest]);
  });
  await database.query('VACUUM ANALYZE');
}

/** `work` without the GIN indexes, which are made again, as they were: row by row they take several times as long. */
async function withoutWordIndexes(database: DataSource, work: () => Promise<void>): Promise<void> {
  const indexes = await database.query<{ indexname: string; indexdef: string }[]>(
    `SELECT indexname, indexdef FROM pg_indexes
     WHERE schemaname = 'public' AND indexdef LIKE '% USING gin %'`,
  );
  for (const { indexname } of indexes) await database.query(`DROP INDEX "${indexname}"`);
  await work();
  for (const { indexdef } of indexes) await database.query(indexdef);
}
