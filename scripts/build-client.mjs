// `npm run build:client`: web/client/dist, one file for browsers and Node, and its types.
import { build } from 'esbuild';
import { spawnSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from './sources.mjs';

const client = join(root, 'web', 'client');

await rm(join(client, 'dist'), { recursive: true, force: true });
await build({
  entryPoints: [join(client, 'src', 'index.ts')],
  outfile: join(client, 'dist', 'index.js'),
  bundle: true,
  platform: 'browser',
  format: 'esm',
  target: ['es2022'],
  sourcemap: true,
  logLevel: 'warning',
});
const types = spawnSync(
  process.execPath,
  [
    join(root, 'node_modules', 'typescript', 'bin', 'tsc'),
    '--project',
    client,
    '--noEmit',
    'false',
    '--declaration',
    '--emitDeclarationOnly',
  ],
  { stdio: 'inherit' },
);
process.exitCode = types.status ?? 1;
