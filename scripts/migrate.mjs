// `npm run migrate`: brings the database of the configuration up to date and ends; for deployments
// that start their replicas with MIGRATIONS=manual.
import { ensureBuilt } from './ensure-built.mjs';

await ensureBuilt();
const { readConfig } = await import('../dist/src/config/app-config.js');
const { openDatabase } = await import('../dist/src/database/open-database.js');
const { runMigrations } = await import('../dist/src/database/data-source.js');

const database = await openDatabase(readConfig(), (line) => console.error(line));
try {
  const ran = await runMigrations(database.url);
  console.log(ran.length > 0 ? `Migrated: ${ran.join(', ')}` : 'Nothing to migrate.');
} finally {
  await database.close();
}
