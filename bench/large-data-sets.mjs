import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { transformFile } from '@swc/core';
import { median, report } from './measure.mjs';

const SMALL = 'usr_bench_small';
const LARGE = 'usr_bench_large';
/** What the one and the other person have. */
const SETS = { events: [100, 100_000], contacts: [20, 20_000], facts: [20, 20_000] };
const DATA_SETS = new URL('../test/data-sets/', import.meta.url);

/** The words that the tests fill their data sets with; the file is TypeScript, dist/ has no tests. */
async function vocabulary() {
  const file = fileURLToPath(new URL('vocabulary.ts', DATA_SETS));
  const { code } = await transformFile(file, { jsc: { parser: { syntax: 'typescript' } } });
  const source = new URL('../dist/src/', import.meta.url).href;
  const text = code.replaceAll(/(['"])\.\.\/\.\.\/src\//g, `$1${source}`);
  return import(`data:text/javascript;base64,${Buffer.from(text).toString('base64')}`);
}

async function fill(database) {
  const { eventTexts, factTexts, people } = await vocabulary();
  const words = { events: eventTexts(), contacts: people(), facts: factTexts() };
  for (const [name, [few, many]] of Object.entries(SETS)) {
    const sql = readFileSync(new URL(`${name}.sql`, DATA_SETS), 'utf8');
    const texts = JSON.stringify(words[name]);
    await database.query(sql, [SMALL, few, 1, texts]);
    await database.query(sql, [LARGE, many, few + 1, texts]);
  }
  await database.query('VACUUM ANALYZE');
}

/** Reads of somebody with much beside those of somebody with little. */
export async function largeDataSets(app) {
  const { DataSource } = await import('typeorm');
  const modules = '../dist/src/modules';
  const { CalendarReadingService } = await import(
    `${modules}/calendar/calendar-reading.service.js`
  );
  const { ContactsReadingService } = await import(
    `${modules}/contacts/contacts-reading.service.js`
  );
  const { MemoryReadingService } = await import(`${modules}/memory/memory-reading.service.js`);
  await fill(app.get(DataSource, { strict: false }));

  const calendar = app.get(CalendarReadingService, { strict: false });
  const contacts = app.get(ContactsReadingService, { strict: false });
  const memory = app.get(MemoryReadingService, { strict: false });
  const caller = (userId) => ({ userId, timezone: 'Asia/Shanghai', locale: 'zh-CN' });
  // Where both have events: the last of either is a hundred days from now.
  const date = new Date(Date.now() + 97 * 86_400_000).toISOString().slice(0, 10);
  const compare = async (what, set, read) => {
    const [few, many] = SETS[set];
    const timed = (user) => median(() => read(user), { runs: 30 });
    report(what, [`${few} ${set}`, await timed(SMALL)], [`${many} ${set}`, await timed(LARGE)]);
  };
  const search = (user, query) => calendar.read({ mode: 'search', query }, caller(user));
  await compare('A day of the calendar', 'events', (user) =>
    calendar.read({ mode: 'day', date }, caller(user)),
  );
  await compare('Searching events in Chinese', 'events', (user) => search(user, '体检 王小明'));
  await compare('Searching events in English', 'events', (user) => search(user, 'design 142'));
  await compare('Who is meant by a name', 'contacts', (user) =>
    contacts.resolve('王总', caller(user)),
  );
  await compare('A page of contacts', 'contacts', (user) => contacts.list({}, caller(user)));
  await compare('Searching facts', 'facts', (user) => memory.list({ query: '咖啡' }, user));
  await compare('The newest facts', 'facts', (user) => memory.list({}, user));
}
