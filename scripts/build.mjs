// Compiles src/ and migrations/ into dist/ (swc: types are checked by `npm run typecheck`, not
// here) and bundles the project-cli executable, which must run without node_modules.
import { build as bundle } from 'esbuild';
import { transformFile } from '@swc/core';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
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
async function buildProjectCli(outfile) {
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

/** Builds beside dist/ and swaps at the end, so that a running server or test never sees half. */
export async function build() {
  const started = new Date();
  const next = `${dist}.${process.pid}`;
  const previous = `${next}.previous`;
  await rm(next, { recursive: true, force: true });
  try {
    const files = await sources();
    await Promise.all(files.map((file) => compile(file, next)));
    await buildProjectCli(join(next, 'project-cli.js'));
    const built = join(next, '.built');
    await writeFile(built, '');
    await utimes(built, started, started);
    if (existsSync(dist)) await rename(dist, previous);
    await rename(next, dist);
  } finally {
    for (const folder of [next, previous]) await rm(folder, { recursive: true, force: true });
  }
}

async function compile(file, outDir) {
  const target = join(outDir, relative(root, file)).replace(/\.ts$/, '.js');
  const { code, map } = await transformFile(file, { cwd: root, sourceFileName: file });
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, `${code}\n//# sourceMappingURL=${target.split('/').pop()}.map\n`);
  await writeFile(`${target}.map`, map ?? '');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await build();
