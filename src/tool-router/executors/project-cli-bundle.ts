import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

function packageRoot(from: string): string {
  for (let dir = dirname(from); ; dir = dirname(dir)) {
    if (existsSync(join(dir, 'package.json'))) return dir;
    if (dir === dirname(dir)) throw new Error('package.json is not found above the sources.');
  }
}

/**
 * Absolute path of the bundled executable, without symbolic links; the same from src/ and dist/.
 * @throws Error when it has not been built.
 */
export function projectCliBundle(): string {
  const path = join(packageRoot(fileURLToPath(import.meta.url)), 'dist', 'project-cli.js');
  if (!existsSync(path)) {
    throw new Error(
      'dist/project-cli.js is missing: run `npm run build`, or set CLI_EXECUTOR=inline.',
    );
  }
  return realpathSync(path);
}
