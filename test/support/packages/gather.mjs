// Gathers packages of many modules into few files in dist.packages/, for resolver.cjs. Every test file
// loads its packages anew; finding and linking thousands of small modules is most of what that costs.
import { createHash } from 'node:crypto';
import { readFileSync, realpathSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { COMMON, INSIDE, MODULES } from './gathered.mjs';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const require = createRequire(import.meta.url);
const target = join(root, 'dist.packages');

/** What every build is told. Conditions as Node has them, not esbuild's own. */
const COMMON_OPTIONS = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20',
  conditions: [],
  keepNames: true,
  logLevel: 'error',
};

/** The folder of the package that a file belongs to. */
function packageOf(file) {
  return /^.*[/\\]node_modules[/\\](?:@[^/\\]+[/\\])?[^/\\]+/.exec(file)?.[0];
}

const imported = (specifier) => realpathSync(fileURLToPath(import.meta.resolve(specifier)));
const required = (specifier) => realpathSync(require.resolve(specifier));

/** Everything that decides what is written. */
function currentKey() {
  const hash = createHash('sha256')
    .update(process.version)
    .update(realpathSync(join(root, 'node_modules')));
  const own = ['gather.mjs', 'gathered.mjs'].map((name) => new URL(name, import.meta.url));
  for (const file of [join(root, 'package-lock.json'), ...own]) hash.update(readFileSync(file));
  return hash.digest('hex');
}

/**
 * Keeps out what belongs to another package, by its full path: each importer goes on finding its own
 * version of it.
 * @param owned folders of the packages of this group.
 */
function apart(owned) {
  const inside = new Set(INSIDE.map((name) => packageOf(required(name))));
  /** Also a version that one of them has to itself, in its own node_modules. */
  const within = (file) =>
    owned.has(packageOf(file)) ||
    inside.has(packageOf(file)) ||
    [...owned].some((folder) => file.startsWith(join(folder, 'node_modules', sep)));
  return {
    name: 'apart',
    setup(builder) {
      builder.onResolve({ filter: /^[^./]/ }, async ({ path, kind, resolveDir, pluginData }) => {
        if (pluginData === 'asked' || kind === 'entry-point') return undefined;
        const asked = { kind, resolveDir, pluginData: 'asked' };
        const found = await builder.resolve(path, asked);
        // What is not installed is asked for in a try block, or never.
        if (found.errors.length > 0) return { path, external: true };
        if (found.external) return { path: found.path, external: true };
        return within(found.path) ? undefined : { path: found.path, external: true };
      });
    },
  };
}

/** @returns {Promise<[string, string][]>} original and gathered files. */
async function gatherModules({ build }, group, specifiers, outdir) {
  const names = specifiers.map((specifier, index) => [`${group}.${index}`, imported(specifier)]);
  await build({
    ...COMMON_OPTIONS,
    entryPoints: names.map(([out, file]) => ({ in: file, out })),
    outdir,
    outExtension: { '.js': '.mjs' },
    chunkNames: `${group}-[hash]`,
    format: 'esm',
    splitting: true,
    plugins: [apart(new Set(names.map(([, file]) => packageOf(file))))],
    banner: {
      js: `import { createRequire as steward_createRequire } from 'node:module';
const require = steward_createRequire(import.meta.url);`,
    },
  });
  return names.map(([out, file]) => [file, `${out}.mjs`]);
}

/** As above; the names that a module has are written where Jest looks for them. */
async function gatherCommon({ build }, group, specifiers, outdir) {
  const lines = specifiers.map(
    (name) => `exports[${JSON.stringify(name)}] = require(${JSON.stringify(name)});`,
  );
  await build({
    ...COMMON_OPTIONS,
    stdin: { contents: lines.join('\n'), resolveDir: root },
    outfile: join(outdir, `${group}.cjs`),
    format: 'cjs',
    plugins: [apart(new Set(specifiers.map((name) => packageOf(required(name)))))],
  });
  const files = [];
  for (const [index, specifier] of specifiers.entries()) {
    const file = `${group}.${index}.cjs`;
    const names = Object.keys(require(specifier)).filter((name) => /^[A-Za-z_$][\w$]*$/.test(name));
    const listed = names.filter((name) => name !== 'default').map((name) => `exports.${name} = 0;`);
    await writeFile(
      join(outdir, file),
      `const group = require('./${group}.cjs');
module.exports = group[${JSON.stringify(specifier)}];
if (false) { ${listed.join(' ')} }
`,
    );
    for (const original of new Set([imported(specifier), required(specifier)]))
      files.push([original, file]);
  }
  return files;
}

/** Whether what is gathered already is what this key decides. */
function isGathered(key) {
  try {
    return JSON.parse(readFileSync(join(target, 'index.json'), 'utf8')).key === key;
  } catch {
    return false;
  }
}

/**
 * Puts a gathered folder in its place, unless another process was faster. Folders are moved as a whole, and
 * deleted once they are out of the way: nobody reads one that is half there.
 */
async function putInPlace(next, key) {
  if (isGathered(key)) return;
  const before = `${next}.before`;
  await rename(target, before).catch(ignoring('ENOENT'));
  await rename(next, target).catch(ignoring('ENOTEMPTY', 'EEXIST'));
  await rm(before, { recursive: true, force: true });
}

function ignoring(...codes) {
  return (error) => {
    if (!codes.includes(error.code)) throw error;
  };
}

/** Gathers when something changed since the last time. */
export async function ensureGathered() {
  const key = currentKey();
  if (isGathered(key)) return;
  const bundler = await import('esbuild');
  const next = `${target}.${process.pid}`;
  try {
    const files = await Promise.all([
      ...Object.entries(MODULES).map(([group, names]) =>
        gatherModules(bundler, group, names, next),
      ),
      ...Object.entries(COMMON).map(([group, names]) => gatherCommon(bundler, group, names, next)),
    ]);
    await writeFile(
      join(next, 'index.json'),
      JSON.stringify({ key, files: Object.fromEntries(files.flat()) }),
    );
    await putInPlace(next, key);
  } finally {
    await bundler.stop();
    await rm(next, { recursive: true, force: true });
  }
}
