import { parse } from 'yaml';
import { isJsonObject } from '../common/json.js';
import { StartupError } from '../common/startup-error.js';
import type { Skill } from '../tool-router/skill-catalog.js';

const NAME = /^[a-z][a-z0-9-]{0,63}$/;
const MAX_DESCRIPTION = 300;
const MAX_BYTES = 64 * 1024;
const FRONT_MATTER = /^\uFEFF?---\r?\n([\s\S]*?)\r?\n---\r?\n([\s\S]*)$/;

/** A skill document that cannot be used; the message names the skill and what is wrong. */
export class SkillError extends StartupError {}

/**
 * Reads a `SKILL.md`: YAML front matter with `name` and `description`, then Markdown.
 * @param folder name of its folder, which must be the skill's name.
 * @throws SkillError
 */
export function parseSkill(folder: string, text: string): Skill {
  const fault = (what: string): SkillError => new SkillError(`Skill "${folder}": ${what}.`);
  if (!NAME.test(folder)) throw fault('a skill is named with a-z, 0-9 and -');
  if (Buffer.byteLength(text) > MAX_BYTES) throw fault(`is larger than ${MAX_BYTES} bytes`);
  const [, head, body = ''] = FRONT_MATTER.exec(text) ?? [];
  if (head === undefined) throw fault('has no front matter between two lines of ---');
  let facts: unknown;
  try {
    facts = parse(head, { maxAliasCount: 0 });
  } catch (error) {
    throw new SkillError(`Skill "${folder}": the front matter is not valid YAML.`, {
      cause: error,
    });
  }
  if (!isJsonObject(facts)) throw fault('the front matter is no mapping');
  if (facts.name !== folder) throw fault(`name must be "${folder}"`);
  const description = typeof facts.description === 'string' ? facts.description.trim() : '';
  if (description === '' || description.length > MAX_DESCRIPTION || /[\r\n]/.test(description)) {
    throw fault(`description must be one line of at most ${MAX_DESCRIPTION} characters`);
  }
  if (body.trim() === '') throw fault('has no text');
  return { name: folder, description, body: body.trim() };
}
