// Loads the compiler only where there is something to compile.
import { isFresh } from './sources.mjs';

/** Builds when a source changed since the last build. */
export async function ensureBuilt() {
  if (await isFresh()) return;
  if (process.stderr.isTTY) process.stderr.write('Building …\n');
  const { build } = await import('./build.mjs');
  await build();
}
