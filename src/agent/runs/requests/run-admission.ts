import { Inject, Injectable } from '@nestjs/common';
import { StewardError, type InputIssue } from '../../../common/steward-error.js';
import { DEFAULT_PROFILE } from '../../../credential/exchange-request.js';
import { SKILL_CATALOG, type SkillCatalog } from '../../../tool-router/skill-catalog.js';
import { WhitelistService } from '../../../whitelist/whitelist.service.js';
import type { RunRequest } from './run-request.js';

/** Whether what a request names is there, before anything of it is stored. */
@Injectable()
export class RunAdmission {
  constructor(
    @Inject(SKILL_CATALOG) private readonly skills: SkillCatalog,
    private readonly whitelist: WhitelistService,
  ) {}

  /**
   * A skill that is hidden, from everybody or from this user, is as unknown as one that it does not have.
   * @throws StewardError INVALID_ACTION_INPUT with every fault.
   */
  check(userId: string, request: RunRequest): void {
    const issues = [...this.skillIssues(userId, request), ...this.profileIssues(request)];
    if (issues.length === 0) return;
    throw new StewardError('INVALID_ACTION_INPUT', 'The run cannot be created.', { issues });
  }

  private skillIssues(userId: string, { enabledSkills, optionsAt }: RunRequest): InputIssue[] {
    return (enabledSkills ?? []).flatMap((name, index) =>
      this.skills.get(name, { userId, enabledSkills: null })
        ? []
        : [{ path: `${optionsAt}enabledSkills.${index}`, message: 'is not the name of a skill' }],
    );
  }

  /** The default is nobody's mistake: where a policy lacks it, it denies. */
  private profileIssues({ profile, optionsAt }: RunRequest): InputIssue[] {
    if (profile === DEFAULT_PROFILE || this.whitelist.hasProfile(profile)) return [];
    return [{ path: `${optionsAt}profile`, message: 'is not a profile of the whitelist' }];
  }
}
