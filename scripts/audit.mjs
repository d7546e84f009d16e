// `npm run audit -- verify|export`: checks or writes out the audit, of the database of the
// configuration or of an export. An embedded database belongs to its server, which must be stopped
// meanwhile; `GET /admin/audit/export` and `verify --file` do without.
import { once } from 'node:events';
import { ensureBuilt } from './ensure-built.mjs';

await ensureBuilt();
const { AUDIT_USAGE, readAuditArguments } = await import('../dist/src/audit/audit-arguments.js');

const CANNOT_BE_CHECKED = 2;

async function print(line) {
  if (!process.stdout.write(`${line}\n`)) await once(process.stdout, 'drain');
}

async function main() {
  const args = readAuditArguments(process.argv.slice(2));
  if (args.command === 'usage') {
    console.error(`${args.problem}\n\n${AUDIT_USAGE}`);
    return CANNOT_BE_CHECKED;
  }
  const { readConfig } = await import('../dist/src/config/app-config.js');
  const { openExistingDatabase } = await import('../dist/src/database/existing-database.js');
  const command = await import('../dist/src/audit/audit-command.js');
  const { issuerKeys } = await import('../dist/src/audit/issuer-keys.js');
  try {
    const config = readConfig();
    const keys =
      args.command === 'verify' ? await issuerKeys(config, args.jwks === null) : undefined;
    if (args.command === 'verify' && args.file !== null) {
      return await command.verifyFile(args, keys, print);
    }
    const database = await openExistingDatabase(config, (line) => console.error(line));
    try {
      return args.command === 'verify'
        ? await command.verifyDatabase(args, database.url, keys, print)
        : await command.exportDatabase(args, database.url, print);
    } finally {
      await database.close();
    }
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    return CANNOT_BE_CHECKED;
  }
}

process.exitCode = await main();
