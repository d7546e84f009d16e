// Opens the database as the server does and holds it: `node database-process.mjs DATA_DIR POOL_SIZE`. Prints
// one JSON document a line ({log, level}, {url}, {lost}, {failure}, {closed}); closes on SIGTERM and SIGINT.
import { openDatabase } from '../../dist/src/database/open-database.js';

const say = (document) => process.stdout.write(`${JSON.stringify(document)}\n`);

const [dataDir, poolSize] = process.argv.slice(2);

try {
  const database = await openDatabase(
    { DATA_DIR: dataDir, DATABASE_POOL_SIZE: Number(poolSize) },
    (log, level) => say({ log, level }),
  );
  const close = async () => {
    clearInterval(held);
    await database.close();
    say({ closed: true });
  };
  const held = setInterval(() => undefined, 60_000);
  process.once('SIGTERM', () => void close());
  process.once('SIGINT', () => void close());
  void database.lost.then((error) => say({ lost: error.message }));
  say({ url: database.url, embedded: database.embedded });
} catch (error) {
  say({ failure: { name: error.name, message: error.message } });
  process.exitCode = 1;
}
