import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../audit/audit-trail.js';
import { Clock } from '../common/clock.js';
import { OWN_ID, newId } from '../common/ids.js';
import { StewardError } from '../common/steward-error.js';
import { decodeTimeCursor, encodeTimeCursor } from '../common/time-cursor.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { ApprovalRuleRepository, type ApprovalRule } from './approval-rule.repository.js';
import type { Interrupt } from './interrupt.js';

/**
 * "Always allow this": what users have allowed once and for all, each for themselves, in one profile,
 * one method at a time. It only answers the question for an approval, and only the one that was asked:
 * what the whitelist denies, is switched off or lies outside of a credential's scope stays so, and an
 * `ask` that an admin writes later asks again.
 */
@Injectable()
export class ApprovalRuleService {
  constructor(
    private readonly rules: ApprovalRuleRepository,
    private readonly audit: AuditTrail,
    private readonly uow: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Gives the rule with the answer to `interrupt`; in the caller's transaction. Idempotent. */
  async give(interrupt: Interrupt): Promise<void> {
    const { id: interruptId, userId, profile, module, method } = interrupt;
    const rule: ApprovalRule = {
      id: newId('rule'),
      userId,
      profile,
      capabilityId: `${module}.${method}`,
      rule: interrupt.rule ?? '',
      interruptId,
      createdAt: this.clock.now(),
    };
    if (await this.rules.insertIfAbsent(rule)) await this.note('approval_rule_created', rule);
  }

  /** Newest first. @throws StewardError INVALID_ACTION_INPUT for a cursor that was not given out. */
  async list(
    userId: string,
    { limit, cursor }: { limit: number; cursor: string | undefined },
  ): Promise<{ rules: ApprovalRule[]; nextCursor: string | null }> {
    const start = cursor === undefined ? null : decodeTimeCursor(cursor, OWN_ID);
    const found = await this.rules.page(userId, start, limit + 1);
    const rules = found.slice(0, limit);
    const last = rules.at(-1);
    return {
      rules,
      nextCursor:
        found.length > limit && last ? encodeTimeCursor({ at: last.createdAt, id: last.id }) : null,
    };
  }

  /** Takes a rule back: the next call asks again. @throws StewardError NOT_FOUND. */
  async remove(userId: string, id: string): Promise<void> {
    await this.uow.run(async () => {
      const rule = await this.rules.find(userId, id);
      if (!rule || !(await this.rules.delete(userId, id))) {
        throw new StewardError('NOT_FOUND', 'There is no such rule.');
      }
      await this.note('approval_rule_removed', rule);
    });
  }

  private note(kind: 'approval_rule_created' | 'approval_rule_removed', rule: ApprovalRule) {
    const { id: ruleId, userId, profile, capabilityId, interruptId } = rule;
    return this.audit.record({
      kind,
      actor: userId,
      subject: capabilityId,
      rule: rule.rule,
      outcome: 'success',
      details: { ruleId, profile, interruptId },
    });
  }
}
