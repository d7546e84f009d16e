import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../audit/audit-trail.js';
import { UserService } from '../auth/user.service.js';
import { Clock } from '../common/clock.js';
import { StewardError, type InputIssue } from '../common/steward-error.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { nearest } from '../tool-router/input/nearest.js';
import { DEPLOYMENT, SkillRules } from './skill-rules.js';
import { SkillRulesRepository } from './skill-rules.repository.js';
import { SkillService } from './skill.service.js';

/** All rules are in memory, so there are only so many. */
const MAX_RULES = 10_000;

/** A rule: which skills it shows, null for no rule, and the version to name when it is changed. */
export interface SkillRule {
  enabled: string[] | null;
  /** 0 where there is no rule. */
  version: number;
}

/** What admins do with the visibility of skills; it grants and takes no permission (PROTOCOL §1). */
@Injectable()
export class SkillAdmin {
  constructor(
    private readonly skills: SkillService,
    private readonly rules: SkillRules,
    private readonly repository: SkillRulesRepository,
    private readonly users: UserService,
    private readonly audit: AuditTrail,
    private readonly uow: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  deploymentRule(): Promise<SkillRule> {
    return this.ruleOf(DEPLOYMENT);
  }

  /** @throws StewardError NOT_FOUND for an unknown user. */
  async userRule(userId: string): Promise<SkillRule> {
    await this.requireUser(userId);
    return this.ruleOf(userId);
  }

  /** @throws StewardError INVALID_ACTION_INPUT for names of no skill, CONFLICT. */
  setDeploymentRule(names: string[] | null, seen: number, adminId: string): Promise<SkillRule> {
    return this.write(DEPLOYMENT, names, seen, adminId);
  }

  /** @throws StewardError as `setDeploymentRule`; NOT_FOUND, LIMIT_EXCEEDED for too many rules. */
  async setUserRule(
    userId: string,
    names: string[] | null,
    seen: number,
    adminId: string,
  ): Promise<SkillRule> {
    await this.requireUser(userId);
    return this.write(userId, names, seen, adminId);
  }

  private async write(
    subject: string,
    names: string[] | null,
    seen: number,
    adminId: string,
  ): Promise<SkillRule> {
    const skills = names && this.requireSkills(names);
    return this.uow.run(async () => {
      const version = await this.rules.nextVersion();
      const before = await this.repository.find(subject);
      if ((before?.version ?? 0) !== seen) {
        const message = 'The rule has been changed by somebody else; read it again.';
        throw new StewardError('CONFLICT', message);
      }
      if (!skills) {
        await this.repository.remove(subject);
      } else {
        if (!before) await this.assertRoom();
        const updatedAt = this.clock.now();
        await this.repository.put({ subject, skills, version, updatedBy: adminId, updatedAt });
      }
      await this.audit.record({
        kind: 'skills_changed',
        actor: adminId,
        subject: subject === DEPLOYMENT ? 'deployment' : subject,
        outcome: 'success',
        details: { enabled: skills },
      });
      await this.rules.changed(version);
      return { enabled: skills, version: skills ? version : 0 };
    });
  }

  private async ruleOf(subject: string): Promise<SkillRule> {
    const row = await this.repository.find(subject);
    return { enabled: row?.skills ?? null, version: row?.version ?? 0 };
  }

  private requireSkills(names: string[]): string[] {
    const known = this.skills.list().map(({ name }) => name);
    const issues = names.flatMap((name, index): InputIssue[] => {
      if (known.includes(name)) return [];
      const meant = nearest(name, known);
      const hint = meant === undefined ? '' : `; did you mean ${meant}?`;
      const path = `enabled.${index}`;
      return [{ path, message: `There is no such skill${hint}`, expected: 'name of a skill' }];
    });
    const [first] = issues;
    if (!first) return [...new Set(names)].toSorted((a, b) => (a < b ? -1 : 1));
    throw new StewardError('INVALID_ACTION_INPUT', `${first.path}: ${first.message}`, {
      issues: issues.slice(0, 20),
    });
  }

  private async requireUser(userId: string): Promise<void> {
    if (await this.users.findById(userId)) return;
    throw new StewardError('NOT_FOUND', 'There is no such user.');
  }

  private async assertRoom(): Promise<void> {
    if ((await this.repository.count()) < MAX_RULES) return;
    throw new StewardError('LIMIT_EXCEEDED', `At most ${MAX_RULES} users can have a rule.`);
  }
}
