import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, chmod, mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const SCRIPT = resolve(import.meta.dirname, '../../scripts/chaos.mjs');

/** Processes that were told of the folder by their arguments or their environment. */
async function processesWith(folder: string): Promise<string[]> {
  const found: string[] = [];
  for (const pid of await readdir('/proc').catch(() => [])) {
    if (!/^\d+$/.test(pid)) continue;
    const of = (file: string) => readFile(join('/proc', pid, file), 'utf8').catch(() => '');
    const said = (await of('cmdline')) + (await of('environ'));
    if (said.includes(folder)) found.push((await of('cmdline')).replaceAll('\0', ' '));
  }
  return found;
}

/** `npm run test:chaos` with Ctrl-C, once a server and its database are there. */
describe('chaos that is interrupted', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'steward-interrupted-'));
    await chmod(folder, 0o711);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('leaves no process and no file, and says by its status that it was', async () => {
    const chaos = spawn(process.execPath, [SCRIPT, '-t', 'one server, PostgreSQL fails'], {
      env: { ...process.env, TMPDIR: folder, CHAOS_KILLS: '20', CHAOS_MINUTES: '5' },
      stdio: 'ignore',
    });
    const exited = once(chaos, 'exit');
    const serverIsThere = async (): Promise<boolean> => {
      const [own] = (await readdir(folder)).filter((name) => name.startsWith('steward-chaos-'));
      if (own === undefined) return false;
      const data = (await readdir(join(folder, own))).filter((name) =>
        name.startsWith('steward-chaos-'),
      );
      const files = data.map((name) => join(folder, own, name, 'postgres', 'postmaster.pid'));
      const there = await Promise.all(
        files.map((file) =>
          access(file).then(
            () => true,
            () => false,
          ),
        ),
      );
      return there.includes(true);
    };
    while (!(await serverIsThere())) {
      expect(chaos.exitCode).toBeNull();
      await delay(100);
    }
    chaos.kill('SIGINT');
    expect(await exited).toEqual([130, null]);
    const left = (await readdir(folder)).filter((name) => name.startsWith('steward-chaos-'));
    expect(left).toEqual([]);
    // Where there is no /proc, the folder alone tells. Who has nothing left to do may take a moment to end.
    while ((await processesWith(folder)).length > 0) await delay(50);
  }, 180_000);
});
