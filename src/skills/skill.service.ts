import { readFile, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Inject, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { APP_CONFIG, type AppConfig } from '../config/app-config.js';
import type { Skill, SkillSummary } from '../tool-router/skill-catalog.js';
import { SkillError, parseSkill } from './skill-document.js';

/** In a list of enabled skills: all of them. */
const ALL = '*';

function isMissing(error: unknown): boolean {
  return typeof error === 'object' && error !== null && Reflect.get(error, 'code') === 'ENOENT';
}

/**
 * The skill documents of SKILLS_DIR, read once at boot. Afterwards a name is looked up in memory:
 * nothing that a caller says becomes a path.
 */
@Injectable()
export class SkillService implements OnModuleInit {
  private readonly logger = new Logger(SkillService.name);
  private readonly skills = new Map<string, Skill>();

  constructor(@Inject(APP_CONFIG) private readonly config: AppConfig) {}

  /** @throws SkillError for a document that cannot be used, or an enabled skill that is missing. */
  async onModuleInit(): Promise<void> {
    const root = resolve(this.config.SKILLS_DIR);
    for (const folder of await this.folders(root)) {
      const text = await this.readDocument(join(root, folder, 'SKILL.md'));
      if (text !== null) this.skills.set(folder, parseSkill(folder, text));
    }
    for (const name of this.config.ENABLED_SKILLS) {
      if (name !== ALL && !this.skills.has(name)) {
        throw new SkillError(`ENABLED_SKILLS names "${name}", which SKILLS_DIR does not have.`);
      }
    }
  }

  /** The skills among `enabled` (names, or `*` for all), by name. */
  visible(enabled: readonly string[]): SkillSummary[] {
    return [...this.skills.values()]
      .filter(({ name }) => enabled.includes(ALL) || enabled.includes(name))
      .map(({ name, description }) => ({ name, description }))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** Every skill that there is, by name. */
  all(): SkillSummary[] {
    return this.visible([ALL]);
  }

  /** The skills that ENABLED_SKILLS lets models see, at most. */
  list(): SkillSummary[] {
    return this.visible(this.config.ENABLED_SKILLS);
  }

  get(name: string): Skill | null {
    const { ENABLED_SKILLS: enabled } = this.config;
    if (!enabled.includes(ALL) && !enabled.includes(name)) return null;
    return this.skills.get(name) ?? null;
  }

  private async folders(root: string): Promise<string[]> {
    try {
      const entries = await readdir(root, { withFileTypes: true });
      return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    } catch (error) {
      if (!isMissing(error)) throw error;
      this.logger.warn('SKILLS_DIR does not exist: there are no skills.');
      return [];
    }
  }

  /** Null for a folder without a document. */
  private async readDocument(path: string): Promise<string | null> {
    try {
      return await readFile(path, 'utf8');
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }
}
