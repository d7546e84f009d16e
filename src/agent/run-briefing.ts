import { Inject, Injectable } from '@nestjs/common';
import { CapabilityAccess } from '../tool-router/capability-access.js';
import { projectCliTool } from '../tool-router/project-cli-tool.js';
import { SKILL_CATALOG, type SkillCatalog } from '../tool-router/skill-catalog.js';
import type { ToolDefinition } from './models/chat-model.js';
import { systemPrompt } from './prompt.js';
import { RunRecall } from './run-recall.js';
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
    private readonly recall: RunRecall,
  ) {}

  /**
   * @param message what the person said, to find what is remembered about it.
   * @param now the instant that the run calls "now".
   */
  async of(
    run: Run,
    caller: RunCaller,
    message: string,
    now: Date,
  ): Promise<{ system: string; tools: ToolDefinition[] }> {
    const { userId, roles, displayName } = caller;
    const { timezone, locale, profile } = run;
    const subject = { userId, roles, profile, scope: run.scope, clientTools: run.clientTools };
    const remembered = await this.recall.of(run, subject, message);
    const skills = this.skills.list({ userId, enabledSkills: run.enabledSkills });
    const system = systemPrompt({ now, timezone, locale, displayName, skills, remembered });
    return { system, tools: [projectCliTool(this.access.visibleModules(subject))] };
  }
}
