// `npm run contracts` writes contracts/capabilities.json from the registered capabilities, and refuses
// a change that existing clients or models could trip over unless the capability's version grew.
// With --check it only fails when the file says something else.
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { withApp } from './with-app.mjs';

const file = fileURLToPath(new URL('../contracts/capabilities.json', import.meta.url));

const now = await withApp(async (app) => {
  const { CapabilityRegistry } = await import('../dist/src/tool-router/capability-registry.js');
  const { contractOf } = await import('../dist/src/tool-router/contract/contract.js');
  const capabilities = app.get(CapabilityRegistry, { strict: false }).list();
  return contractOf(capabilities.map(({ descriptor }) => descriptor));
});
const { incompatibilities } = await import('../dist/src/tool-router/contract/compatibility.js');
const text = `${JSON.stringify(now, null, 2)}\n`;
const current = await readFile(file, 'utf8').catch(() => null);
const broken = current === null ? [] : incompatibilities(JSON.parse(current), now);
if (broken.length > 0) {
  console.error(
    'These changes break whoever relies on the contract; raise the version of the method:',
  );
  for (const line of broken) console.error(`  - ${line}`);
  process.exitCode = 1;
} else if (!process.argv.includes('--check')) {
  await writeFile(file, text);
} else if (current !== text) {
  console.error('contracts/capabilities.json is not what is registered. Run `npm run contracts`.');
  process.exitCode = 1;
}
