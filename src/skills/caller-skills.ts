import { Injectable } from '@nestjs/common';
import { CurrentCall } from '../tool-router/current-call.js';
import type {
  Skill,
  SkillCatalog,
  SkillSummary,
  SkillViewer,
} from '../tool-router/skill-catalog.js';
import { SkillRules } from './skill-rules.js';
import { SkillService } from './skill.service.js';

/**
 * The skills as somebody may see them (PROTOCOL §2): those of ENABLED_SKILLS that the deployment's
 * rule shows, and the user's, and the run. What one of them hides is as unknown as what never was.
 */
@Injectable()
export class CallerSkills implements SkillCatalog {
  constructor(
    private readonly skills: SkillService,
    private readonly rules: SkillRules,
    private readonly call: CurrentCall,
  ) {}

  list(viewer = this.caller()): SkillSummary[] {
    return this.skills.list().filter(({ name }) => this.isVisible(name, viewer));
  }

  get(name: string, viewer = this.caller()): Skill | null {
    return this.isVisible(name, viewer) ? this.skills.get(name) : null;
  }

  private isVisible(name: string, viewer: SkillViewer | null): boolean {
    const ofRun = viewer?.enabledSkills ?? null;
    return this.rules.shows(name, viewer?.userId) && (ofRun === null || ofRun.includes(name));
  }

  private caller(): SkillViewer | null {
    return this.call.context?.claims ?? null;
  }
}
