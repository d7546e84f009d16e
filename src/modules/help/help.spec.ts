import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestRouter, type TestRouter } from '../../../test/support/tool-router.js';
import { HelpModule } from './help.module.js';

describe('help', () => {
  let router: TestRouter;
  let skills: string;

  beforeAll(async () => {
    skills = await mkdtemp(join(tmpdir(), 'steward-skills-'));
    for (const name of ['calendar', 'hidden']) {
      await mkdir(join(skills, name));
      const text = `---\nname: ${name}\ndescription: About the ${name}.\n---\n# Doc of ${name}\n`;
      await writeFile(join(skills, name, 'SKILL.md'), text);
    }
    router = await startTestRouter([HelpModule], {
      SKILLS_DIR: skills,
      ENABLED_SKILLS: 'calendar',
    });
  });
  afterAll(async () => {
    await router.close();
    await rm(skills, { recursive: true, force: true });
  });

  const data = async (method: string, input?: unknown, credential?: string) => {
    const record = await router.call('help', method, input, credential ? { credential } : {});
    return record.result?.data ?? record.error;
  };

  it('lists the methods with their inputs in short', async () => {
    expect(await data('methods')).toMatchObject({
      count: 5,
      methods: [
        {
          module: 'help',
          method: 'describe',
          effect: 'read',
          input: { module: 'string 1..64', method: 'string 1..64' },
        },
        { method: 'methods' },
        { method: 'search' },
        { method: 'skill' },
        { method: 'skills', input: {} },
      ],
    });
  });

  it('pages', async () => {
    const first = await data('methods', { limit: 3 });
    expect(first).toMatchObject({ count: 3, nextCursor: 'help.search' });
    const second = await data('methods', { limit: 3, cursor: 'help.search' });
    expect(second).toMatchObject({ methods: [{ method: 'skill' }, { method: 'skills' }] });
    expect(second).not.toHaveProperty('nextCursor');
  });

  it('shows only what the caller may execute', async () => {
    const credential = await router.credential({ scope: ['help.methods', 'help.describe'] });
    expect(await data('methods', {}, credential)).toMatchObject({ count: 2 });
    expect(await data('methods', { module: 'calendar' })).toMatchObject({
      code: 'MODULE_NOT_FOUND',
      allowed: ['help'],
    });
    expect(await data('describe', { module: 'help', method: 'skil' }, credential)).toMatchObject({
      code: 'METHOD_NOT_FOUND',
      allowed: ['help.describe', 'help.methods'],
    });
    expect(await data('describe', { module: 'help', method: 'skill' }, credential)).toMatchObject({
      code: 'METHOD_NOT_FOUND',
    });
  });

  it('describes a method by its schema and calls that work', async () => {
    const described = await data('describe', { module: 'help', method: 'search' });
    expect(described).toMatchObject({
      module: 'help',
      method: 'search',
      effect: 'read',
      input: { query: 'string 1..200', limit: 'integer 1..20 optional' },
      inputSchema: { type: 'object', required: ['query'], additionalProperties: false },
      examples: [{ call: { module: 'help', method: 'search', input: {} } }],
    });
  });

  it('finds methods and skills', async () => {
    expect(await data('search', { query: 'calendar', limit: 1 })).toMatchObject({
      items: [{ kind: 'skill', name: 'calendar' }],
    });
    expect(await data('search', { query: 'describe a method', limit: 1 })).toMatchObject({
      items: [{ kind: 'method', name: 'help.describe' }],
    });
  });

  it('shows enabled skills and no others, however they are asked for', async () => {
    expect(await data('skills')).toEqual({
      skills: [{ name: 'calendar', description: 'About the calendar.' }],
      count: 1,
    });
    expect(await data('skill', { name: 'calendar' })).toMatchObject({
      content: '# Doc of calendar',
    });
    for (const name of ['hidden', '../hidden', 'calendar/../hidden', '__proto__']) {
      expect(await data('skill', { name })).toMatchObject({
        code: 'NOT_FOUND',
        allowed: ['calendar'],
      });
    }
  });

  it('has examples that work', async () => {
    for (const method of ['methods', 'describe', 'search', 'skills', 'skill']) {
      const described = await data('describe', { module: 'help', method });
      const { examples } = described as { examples: { call: { input: object } }[] };
      for (const { call } of examples) {
        expect((await router.call('help', method, call.input)).status).toBe('success');
      }
    }
  });
});
