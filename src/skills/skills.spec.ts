import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readConfig } from '../config/app-config.js';
import { SkillError, parseSkill } from './skill-document.js';
import { SkillService } from './skill.service.js';

const document = (name: string): string =>
  `---\nname: ${name}\ndescription: "When: ${name}"\n---\n\n# ${name}\n\nText.\n`;

describe('parseSkill', () => {
  it('reads YAML front matter and Markdown', () => {
    expect(parseSkill('mail', document('mail'))).toEqual({
      name: 'mail',
      description: 'When: mail',
      body: '# mail\n\nText.',
    });
    expect(parseSkill('mail', document('mail').replaceAll('\n', '\r\n')).description).toBe(
      'When: mail',
    );
  });

  it.each<[string, string, string]>([
    ['no front matter', 'mail', '# Mail'],
    ['bad YAML', 'mail', '---\nname: [\n---\ntext'],
    ['an alias', 'mail', '---\nname: &a mail\ndescription: *a\n---\ntext'],
    ['a list', 'mail', '---\n- name\n---\ntext'],
    ['another name', 'mail', document('post')],
    ['no description', 'mail', '---\nname: mail\n---\ntext'],
    ['a long description', 'mail', `---\nname: mail\ndescription: ${'x'.repeat(301)}\n---\ntext`],
    ['no text', 'mail', '---\nname: mail\ndescription: x\n---\n\n'],
    ['a bad name', 'My Mail', document('My Mail')],
    ['too much', 'mail', `${document('mail')}${'x'.repeat(65 * 1024)}`],
  ])('refuses %s', (_what, folder, text) => {
    expect(() => parseSkill(folder, text)).toThrow(SkillError);
  });
});

describe('SkillService', () => {
  let root: string;

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'steward-skills-'));
    for (const name of ['calendar', 'mail', 'secret']) {
      await mkdir(join(root, name));
      await writeFile(join(root, name, 'SKILL.md'), document(name));
    }
    await mkdir(join(root, 'empty'));
    await writeFile(join(root, 'README.md'), 'no skill');
  });
  afterAll(() => rm(root, { recursive: true, force: true }));

  async function service(enabled: string, dir = root): Promise<SkillService> {
    const skills = new SkillService(readConfig({ SKILLS_DIR: dir, ENABLED_SKILLS: enabled }));
    await skills.onModuleInit();
    return skills;
  }

  it('lists and reads what is enabled, and nothing else', async () => {
    const skills = await service('calendar,mail');
    expect(skills.list().map(({ name }) => name)).toEqual(['calendar', 'mail']);
    expect(skills.get('calendar')?.body).toContain('# calendar');
    for (const name of ['secret', 'empty', '../secret', 'calendar/../secret', '__proto__', '']) {
      expect(skills.get(name)).toBeNull();
    }
    expect(skills.visible(['secret']).map(({ name }) => name)).toEqual(['secret']);
    expect(skills.visible([])).toEqual([]);
  });

  it('takes * for all, and has none where there is no folder', async () => {
    expect((await service('*')).list()).toHaveLength(3);
    expect((await service('*', join(root, 'nowhere'))).list()).toEqual([]);
  });

  it('stops the boot for an enabled skill that does not exist, and for a broken document', async () => {
    await expect(service('calendar,absent')).rejects.toThrow('absent');
    await mkdir(join(root, 'broken'));
    await writeFile(join(root, 'broken', 'SKILL.md'), 'no front matter');
    await expect(service('*')).rejects.toThrow('broken');
    await rm(join(root, 'broken'), { recursive: true });
  });
});
