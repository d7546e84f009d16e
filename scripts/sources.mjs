// Which files the build reads, and whether dist/ is newer than all of them; imports no compiler, so
// that a start with nothing to build costs nothing.
import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
export const dist = join(root, 'dist');

/** TypeScript files of the product; specs are not built. */
export async function sources() {
  const found = [];
  for (const dir of ['src', 'migrations']) {
    const entries = await readdir(join(root, dir), { recursive: true, withFileTypes: true });
    for (const entry of entries) {
      if (!entry.isFile() || !entry.name.endsWith('.ts') || entry.name.endsWith('.spec.ts'))
        continue;
      found.push(join(entry.parentPath, entry.name));
    }
  }
  return found;
}

/** True when dist/ was built after the last change of any source, the lock file or the compiler's settings. */
export async function isFresh() {
  const stamp = join(dist, '.built');
  if (!existsSync(stamp)) return false;
  const inputs = [...(await sources()), join(root, 'package-lock.json'), join(root, '.swcrc')];
  const times = await Promise.all(inputs.map(async (file) => (await stat(file)).mtimeMs));
  return (await stat(stamp)).mtimeMs > Math.max(...times);
}
