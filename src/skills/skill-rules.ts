import { Injectable, type OnModuleInit } from '@nestjs/common';
import { StateWatch, countedIn } from '../database/state-watch.js';
import type { VersionedState } from '../database/versioned-state.js';
import { SkillRulesRepository } from './skill-rules.repository.js';

const NAME = 'skill_rules';
/** Subject of the rule for everybody. */
export const DEPLOYMENT = '*';

/** Names of the skills that a rule shows, by its subject. */
type Rules = ReadonlyMap<string, ReadonlySet<string>>;

/** What admins let models see, in force from memory as the whitelist is (PROTOCOL §14). */
@Injectable()
export class SkillRules implements OnModuleInit {
  private readonly state: VersionedState<Rules>;

  constructor(
    private readonly repository: SkillRulesRepository,
    private readonly watch: StateWatch,
  ) {
    this.state = watch.stateOf({
      name: NAME,
      newest: countedIn(NAME),
      read: async () => {
        // The number first: rows that are newer than it are read again with the next number.
        const version = await watch.newestVersion(NAME);
        return { version, value: await this.stored() };
      },
    });
  }

  async onModuleInit(): Promise<void> {
    await this.watch.keep(this.state);
  }

  /**
   * Whether the rules leave the skill visible: the deployment's, and the user's where one is named.
   * While nobody knows the rules, nothing is.
   */
  shows(skill: string, userId?: string): boolean {
    const { trusted } = this.state;
    if (!trusted) return false;
    const rules = [trusted.get(DEPLOYMENT), userId === undefined ? undefined : trusted.get(userId)];
    return rules.every((rule) => rule === undefined || rule.has(skill));
  }

  /** For a unit of work that changes rules: the number of the new version; others wait for its end. */
  nextVersion(): Promise<number> {
    return this.watch.nextVersion(NAME);
  }

  /** At the end of that unit of work: puts what it stored in force, everywhere, when it commits. */
  async changed(version: number): Promise<void> {
    await this.watch.changed(this.state, version, await this.stored());
  }

  private async stored(): Promise<Rules> {
    const rows = await this.repository.all();
    return new Map(rows.map(({ subject, skills }) => [subject, new Set(skills)]));
  }
}
