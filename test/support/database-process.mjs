// Opens the database as the server does and holds it: `node database-process.mjs DATA_DIR`. Prints
// one JSON document a line ({log, level}, {url}, {lost}, {failure}, {closed}); closes on SIGTERM and SIGINT.
import { openDatabase } from '../../dist/src/database/open-database.js';

const say = (document) => process.stdout.write(`${JSON.stringify(document)}\n`);

try {
  const database = await openDatabase(
    { DATA_DIR: process.argv[2], DATABASE_URL: process.env.DATABASE_URL, DATABASE_POOL_SIZE: 10 },
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
