import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { HelpModule } from '../../src/modules/help/help.module.js';
import { startTestRouter, type TestRouter } from '../support/tool-router.js';

/** PROTOCOL §2: a skill that a run does not enable is nowhere in that run. */
describe('skills of a run', () => {
  let router: TestRouter;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'steward-skills-'));
    for (const name of ['gardening', 'knitting', 'sailing']) {
      await mkdir(join(folder, name));
      const text = `---\nname: ${name}\ndescription: Hobby ${name}.\n---\n# Doc of ${name}\n`;
      await writeFile(join(folder, name, 'SKILL.md'), text);
    }
    router = await startTestRouter([HelpModule], {
      SKILLS_DIR: folder,
      ENABLED_SKILLS: 'gardening,knitting',
    });
  });
  afterAll(async () => {
    await router.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** What help shows under a credential: the list, a search, and each skill by its name. */
  async function shown(enabledSkills?: string[]) {
    const credential = await router.credential(enabledSkills ? { enabledSkills } : {});
    const ask = async (method: string, input: object) => {
      const record = await router.call('help', method, input, { credential });
      return JSON.stringify(record.result?.data ?? record.error);
    };
    const names = ['gardening', 'knitting', 'sailing'];
    const of = (text: string) => names.filter((name) => text.includes(`"${name}"`));
    const read: string[] = [];
    for (const name of names) {
      if ((await ask('skill', { name })).includes(`Doc of ${name}`)) read.push(name);
    }
    return {
      listed: of(await ask('skills', {})),
      found: of(await ask('search', { query: 'hobby' })),
      suggested: of(await ask('skill', { name: 'none' })),
      read,
    };
  }

  it.each<[string, string[] | undefined, string[]]>([
    ['what the deployment enables, without a choice', undefined, ['gardening', 'knitting']],
    ['one', ['knitting'], ['knitting']],
    ['none', [], []],
    ['nothing that the deployment does not enable', ['knitting', 'sailing'], ['knitting']],
  ])('help shows %s', async (_what, enabled, expected) => {
    expect(await shown(enabled)).toEqual({
      listed: expected,
      found: expected,
      suggested: expected,
      read: expected,
    });
  });

  it('keeps calls at the same time apart', async () => {
    const [one, none, all] = await Promise.all([shown(['gardening']), shown([]), shown()]);
    expect([one?.listed, none?.listed, all?.listed]).toEqual([
      ['gardening'],
      [],
      ['gardening', 'knitting'],
    ]);
  });
});
