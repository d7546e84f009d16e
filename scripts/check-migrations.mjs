// `npm run check:migrations`: runs every migration on a throw-away PostgreSQL and asks TypeORM what
// it would still change to match the entities. Anything is drift: it is printed, and the exit is 1.
import 'reflect-metadata';
import { fileURLToPath } from 'node:url';
import { DataSource } from 'typeorm';
import { startCluster } from '../test/support/cluster.mjs';
import { ensureBuilt } from './ensure-built.mjs';

const entities = fileURLToPath(new URL('../dist/src/**/*.entity.js', import.meta.url));

await ensureBuilt();
const { dataSourceOptions, runMigrations } = await import('../dist/src/database/data-source.js');
const cluster = await startCluster();
try {
  await runMigrations(cluster.databaseUrl);
  const options = dataSourceOptions({ url: cluster.databaseUrl, poolSize: 2 });
  const dataSource = await new DataSource({ ...options, entities: [entities] }).initialize();
  const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
  const count = dataSource.entityMetadatas.length;
  await dataSource.destroy();
  if (count === 0) throw new Error(`No entity was found in ${entities}`);
  if (upQueries.length > 0) {
    console.error('The migrations do not give what the entities say. TypeORM would run:');
    for (const { query } of upQueries) console.error(`  ${query};`);
    process.exitCode = 1;
  } else {
    console.log(`${count} entities agree with the migrations.`);
  }
} finally {
  await cluster.stop();
}
