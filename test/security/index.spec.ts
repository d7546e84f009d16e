import { describe, expect, it } from '@jest/globals';
import { readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');
/** A cell of README.md: a file, then the title of a test or a name within the file. */
const CELL = /^`([^`]+)`(?: (.+))?$/;

interface Row {
  what: string;
  test: string;
  defence: string;
}

async function rows(): Promise<Row[]> {
  const text = await readFile(join(import.meta.dirname, 'README.md'), 'utf8');
  return text
    .split('\n')
    .filter((line) => line.startsWith('| ') && line.includes('`') && line.includes('.spec.ts'))
    .map((line) => {
      const [what = '', test = '', defence = ''] = line
        .slice(1, -1)
        .split(' | ')
        .map((cell) => cell.trim());
      return { what, test, defence };
    });
}

/** The file and the name of a cell; both must be there. */
async function assertNamed(cell: string, folder: string): Promise<void> {
  const [, path = '', name = ''] = CELL.exec(cell) ?? [];
  if (path === '') throw new Error(`"${cell}" names no file.`);
  const file = join(ROOT, folder, path);
  if ((await stat(file)).isDirectory()) return;
  const text = (await readFile(file, 'utf8')).replaceAll("\\'", "'");
  if (!text.includes(name)) throw new Error(`${path} has no "${name}".`);
}

describe('the index of security tests', () => {
  it('names tests and defences that exist', async () => {
    const listed = await rows();
    expect(listed.length).toBeGreaterThan(50);
    const faults: string[] = [];
    for (const { what, test, defence } of listed) {
      for (const [cell, folder] of [
        [test, ''],
        [defence, 'src'],
      ] as const) {
        await assertNamed(cell, folder).catch((error: unknown) => {
          faults.push(`${what}: ${String(error)}`);
        });
      }
    }
    expect(faults).toEqual([]);
  });

  it('has a test for each of the ten risks of OWASP', async () => {
    const listed = await rows();
    for (let n = 1; n <= 10; n += 1) {
      const own = listed.filter(({ what }) => new RegExp(`^API${n}\\b`).test(what));
      expect([n, own.length > 0]).toEqual([n, true]);
    }
  });
});
