import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listKeys, rotateKeys } from '../auth/key-rotation.js';
import { readConfig } from '../config/app-config.js';
import { NoDataError } from '../config/no-data-error.js';
import { openExistingDatabase } from '../database/existing-database.js';
import { readAuditArguments, type VerifyArguments } from './audit-arguments.js';
import { verifyFile } from './audit-command.js';
import { issuerKeys } from './issuer-keys.js';

describe('commands beside a server', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'steward-commands-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const verify = (...options: string[]): VerifyArguments => {
    const args = readAuditArguments(['verify', ...options]);
    if (args.command !== 'verify') throw new Error('not understood');
    return args;
  };

  it('make nothing where there is no data, and say which folder that is', async () => {
    const missing = join(folder, 'missing');
    for (const DATA_DIR of [folder, missing]) {
      const config = readConfig({ DATA_DIR });
      const now = new Date();
      const attempts = [
        listKeys(config, now),
        rotateKeys(config, { now, atOnce: true }),
        issuerKeys(config, true),
        openExistingDatabase(config, () => undefined),
      ];
      for (const attempt of attempts) {
        const error: unknown = await attempt.catch((reason: unknown) => reason);
        expect(error).toBeInstanceOf(NoDataError);
        expect(String(error)).toContain(`There is no Steward data in DATA_DIR=${DATA_DIR}`);
      }
      // Keys that are given by themselves are enough for an export.
      expect((await issuerKeys(config, false))('any')).toBeUndefined();
    }
    expect(await readdir(folder)).toEqual([]);
  });

  it('say which option is wrong', () => {
    const problem = (...argv: string[]) => {
      const args = readAuditArguments(argv);
      return args.command === 'usage' ? args.problem : null;
    };
    expect(problem()).toContain('verify or export');
    expect(problem('verify', '--expect', '12:9f2c')).toContain('all 64 digits');
    expect(problem('verify', '--max-wait', 'x')).toContain('seconds');
    expect(problem('verify', '--nothing')).toContain('--nothing');
    expect(problem('export', '--from', 'monday')).toContain('--from');
    expect(problem('export', '--kind', 'tea')).toContain('tool_call');
    expect(problem('export', '--after', '-1')).toContain('--after');
    expect(problem('verify', '--expect', `12:${'9f'.repeat(32)}`)).toBeNull();
  });

  it('name the file that cannot be read, and how to come to an unknown key', async () => {
    const lost = join(folder, 'lost.jsonl');
    const nothing = () => undefined;
    const print = (text: string) => void lines.push(text);
    const lines: string[] = [];
    const file = verify('--file', lost);
    await expect(verifyFile({ ...file, file: lost }, nothing, print)).rejects.toThrow(
      `--file ${lost} cannot be read`,
    );
    const jwks = { ...verify('--jwks', lost), file: lost };
    await expect(verifyFile(jwks, nothing, print)).rejects.toThrow(`--jwks ${lost} cannot`);
    await writeFile(lost, 'x');
    await expect(verifyFile(jwks, nothing, print)).rejects.toThrow('no JWK set');
    expect(await verifyFile({ ...file, file: lost }, nothing, print)).toBe(1);
    expect(lines.join()).toContain('malformed: line 1');
  });
});
