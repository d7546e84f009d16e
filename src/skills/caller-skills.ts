import { Injectable } from '@nestjs/common';
import { CurrentCall } from '../tool-router/current-call.js';
import type { Skill, SkillCatalog, SkillSummary } from '../tool-router/skill-catalog.js';
import { SkillService } from './skill.service.js';

/**
 * The skills as the current call may see them: of those that the deployment enables, the ones that
 * its run does (PROTOCOL §2). Outside of a call, and in one whose run names none, it is all of them.
 */
@Injectable()
export class CallerSkills implements SkillCatalog {
  constructor(
    private readonly skills: SkillService,
    private readonly call: CurrentCall,
  ) {}

  list(): SkillSummary[] {
    return this.skills.list().filter(({ name }) => this.isEnabled(name));
  }

  get(name: string): Skill | null {
    return this.isEnabled(name) ? this.skills.get(name) : null;
  }

  private isEnabled(name: string): boolean {
    return this.call.context?.claims.enabledSkills?.includes(name) ?? true;
  }
}
