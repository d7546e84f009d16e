// Compiles src/ and migrations/ into dist/ (swc: types are checked by `npm run typecheck`, not
// here) and bundles the project-cli executable, which must run without node_modules.
import { build as bundle } from 'esbuild';
import { transformFile } from '@swc/core';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const dist = join(root, 'dist');
const stamp = join(dist, '.built');

async function sources() {
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

async function newest(files) {
  const times = await Promise.all(files.map(async (file) => (await stat(file)).mtimeMs));
  return Math.max(...times);
}

/** True when dist/ was built after the last change of any source, the lock file or this script. */
export async function isFresh() {
  if (!existsSync(stamp)) return false;
  const inputs = [...(await sources()), join(root, 'package-lock.json'), join(root, '.swcrc')];
  return (await stat(stamp)).mtimeMs > (await newest(inputs));
}

/** Bundles src/cli.ts into one file without dependencies; returns its path. */
export async function buildProjectCli(outfile = join(dist, 'project-cli.js')) {
  await bundle({
    entryPoints: [join(root, 'src', 'cli.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    minifySyntax: true,
    banner: { js: '#!/usr/bin/env node' },
    logLevel: 'warning',
  });
  await chmod(outfile, 0o755);
  return outfile;
}

export async function build() {
  await rm(dist, { recursive: true, force: true });
  const files = await sources();
  await Promise.all(
    files.map(async (file) => {
      const target = join(dist, relative(root, file)).replace(/\.ts$/, '.js');
      const { code, map } = await transformFile(file, { cwd: root, sourceFileName: file });
      await mkdir(dirname(target), { recursive: true });
      await writeFile(target, `${code}\n//# sourceMappingURL=${target.split('/').pop()}.map\n`);
      await writeFile(`${target}.map`, map ?? '');
    }),
  );
  await buildProjectCli();
  await writeFile(stamp, '');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await build();
