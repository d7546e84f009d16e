import { Inject, Injectable } from '@nestjs/common';
import { CapabilityAccess } from '../tool-router/capability-access.js';
import { projectCliTool } from '../tool-router/project-cli-tool.js';
import {
  SKILL_CATALOG,
  type SkillCatalog,
  type SkillSummary,
} from '../tool-router/skill-catalog.js';
import type { ToolDefinition } from './models/chat-model.js';
import { systemPrompt } from './prompt.js';
import type { Run } from './runs/run.js';

/** The person for whom a run acts. */
export interface RunCaller {
  userId: string;
  displayName: string;
  roles: string[];
}

/** The scope of a run's credential: the profile's whitelist is what limits it. */
export const RUN_SCOPE = ['*'];

/** What a model is told before the conversation: the system message and its one function. */
@Injectable()
export class RunBriefing {
  constructor(
    private readonly access: CapabilityAccess,
    @Inject(SKILL_CATALOG) private readonly skills: SkillCatalog,
  ) {}

  /** @param now the instant that the run calls "now". */
  of(run: Run, caller: RunCaller, now: Date): { system: string; tools: ToolDefinition[] } {
    const { userId, roles, displayName } = caller;
    const modules = this.access.visibleModules({
      userId,
      roles,
      profile: run.profile,
      scope: RUN_SCOPE,
    });
    const { timezone, locale } = run;
    const system = systemPrompt({ now, timezone, locale, displayName, skills: this.visible(run) });
    return { system, tools: [projectCliTool(modules)] };
  }

  private visible({ enabledSkills }: Run): SkillSummary[] {
    const skills = this.skills.list();
    return enabledSkills ? skills.filter(({ name }) => enabledSkills.includes(name)) : skills;
  }
}
