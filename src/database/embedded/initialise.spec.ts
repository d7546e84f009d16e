import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { discardUnfinished } from './initialise.js';

/** How long the process of a killed server goes on, in ms. */
const GOES_ON_MS = 300;

describe('what an interrupted making of a cluster left', () => {
  let parent: string;
  let cluster: string;

  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'steward-unfinished-'));
    cluster = join(parent, 'postgres');
  });
  afterEach(() => rm(parent, { recursive: true, force: true, maxRetries: 20 }));

  /** Writes file after file; what is gone is not made again. */
  async function write(folder: string, until: number): Promise<void> {
    for (let n = 0; performance.now() < until; n += 1) {
      await writeFile(join(folder, `${n}`), '').catch(() => undefined);
    }
  }

  it('is removed, also while something is still written there', async () => {
    const folder = join(`${cluster}.unfinished-1`, 'base');
    await mkdir(folder, { recursive: true });
    const until = performance.now() + GOES_ON_MS;
    const writing = Promise.all(Array.from({ length: 4 }, () => write(folder, until)));
    while ((await readdir(folder)).length < 20);
    await discardUnfinished(cluster);
    await writing;
    expect(await readdir(parent)).toEqual([]);
  });

  it('is all that is removed', async () => {
    for (const name of ['postgres', 'postgres.unfinished-2', 'other.unfinished-3']) {
      await mkdir(join(parent, name, 'base'), { recursive: true });
    }
    await discardUnfinished(cluster);
    expect((await readdir(parent)).toSorted()).toEqual(['other.unfinished-3', 'postgres']);
  });
});
