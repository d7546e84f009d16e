// Compiles src/ and migrations/ into dist/ (swc: types are checked by `npm run typecheck`, not
// here), gathers the server into few files that load fast, and bundles the project-cli executable,
// which must run without node_modules.
import { stop as stopBundler } from 'esbuild';
import { transformFile } from '@swc/core';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleProjectCli, bundleServer } from './bundle.mjs';
import { dist, root, sources } from './sources.mjs';

/** Builds beside dist/ and swaps at the end, so that a running server or test never sees half. */
export async function build() {
  const started = new Date();
  const next = `${dist}.${process.pid}`;
  const previous = `${next}.previous`;
  await rm(next, { recursive: true, force: true });
  try {
    const files = await sources();
    await Promise.all(files.map((file) => compile(file, next)));
    await Promise.all([bundleServer(next), bundleProjectCli(join(next, 'project-cli.js'))]);
    const built = join(next, '.built');
    await writeFile(built, '');
    await utimes(built, started, started);
    if (existsSync(dist)) await rename(dist, previous);
    await rename(next, dist);
  } finally {
    // Its service process would otherwise live as long as the server that `npm start` runs in here.
    await stopBundler();
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
