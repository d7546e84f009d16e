// `npm run check:engines`: fails when a package of the lock file does not run on the oldest Node that
// package.json promises, or when the lock file names a registry host.
import { readFile } from 'node:fs/promises';
import semver from 'semver';

const read = async (name) => JSON.parse(await readFile(new URL(`../${name}`, import.meta.url)));
const [manifest, lock] = await Promise.all([read('package.json'), read('package-lock.json')]);
const oldest = semver.minVersion(manifest.engines.node);

const faults = [];
for (const [path, entry] of Object.entries(lock.packages)) {
  const name = `${path.replace(/^.*node_modules\//, '')}@${entry.version}`;
  const range = entry.engines?.node;
  if (range && !semver.satisfies(oldest, range)) {
    faults.push(`${name} needs Node ${range}; package.json promises ${oldest.version}`);
  }
  if (entry.resolved) faults.push(`${name} is resolved from ${new URL(entry.resolved).origin}`);
}
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
