// `npm run storage -- verify [--repair]`: compares the records of tool calls with the object store, on
// the database and the store of the configuration. An embedded database belongs to its server, which
// must be stopped meanwhile.
import { ensureBuilt } from './ensure-built.mjs';

await ensureBuilt();
const { STORAGE_USAGE, readStorageArguments } =
  await import('../dist/src/output-storage/storage-arguments.js');

const CANNOT_BE_CHECKED = 2;

async function main() {
  const args = readStorageArguments(process.argv.slice(2));
  if (!args) {
    console.error(STORAGE_USAGE);
    return CANNOT_BE_CHECKED;
  }
  const { readConfig } = await import('../dist/src/config/app-config.js');
  const { openExistingDatabase } = await import('../dist/src/database/existing-database.js');
  const { verifyStorage } = await import('../dist/src/output-storage/storage-command.js');
  try {
    const config = readConfig();
    const database = await openExistingDatabase(config, (line) => console.error(line));
    try {
      return await verifyStorage(args, config, database.url, (line) => console.log(line));
    } finally {
      await database.close();
    }
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    return CANNOT_BE_CHECKED;
  }
}

process.exitCode = await main();
