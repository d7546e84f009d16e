import { Injectable } from '@nestjs/common';
import { ArgumentsHash } from '../audit/arguments-hash.js';
import { AuditTrail } from '../audit/audit-trail.js';
import { Clock } from '../common/clock.js';
import type { ReadAnswer } from './answer-reader.js';
import { ApprovalRuleService } from './approval-rule.service.js';
import { callHash, statusAt, type Interrupt } from './interrupt.js';
import { InterruptRepository } from './interrupt.repository.js';

const UNANSWERED = {
  response: null,
  grantedInput: null,
  grantedHash: null,
  always: false,
} as const;
/** The answer of time. */
export const EXPIRED: ReadAnswer = { ...UNANSWERED, status: 'expired' };
const CANCELLED: ReadAnswer = { ...UNANSWERED, status: 'cancelled' };

/** How interrupts end, whoever ends them. */
@Injectable()
export class InterruptResolution {
  constructor(
    private readonly interrupts: InterruptRepository,
    private readonly rules: ApprovalRuleService,
    private readonly audit: AuditTrail,
    private readonly argumentsHash: ArgumentsHash,
    private readonly clock: Clock,
  ) {}

  /**
   * Ends an interrupt without an answer: as expired where its time is over, as cancelled otherwise.
   * For a unit of work.
   */
  end(interrupt: Interrupt, now: Date): Promise<Interrupt> {
    const expired = statusAt(interrupt, now) === 'expired';
    return this.resolve(interrupt, expired ? EXPIRED : CANCELLED, null);
  }

  /**
   * Answers an interrupt, with its entry in the audit, and gives the standing approval that goes with
   * the answer. For a unit of work that has locked it.
   * @param resolvedRunId the run that goes on with the answer; null outside of runs.
   */
  async resolve(
    interrupt: Interrupt,
    { always, ...answer }: ReadAnswer,
    resolvedRunId: string | null,
  ): Promise<Interrupt> {
    const resolvedAt = this.clock.now();
    await this.interrupts.resolve(interrupt.id, { ...answer, resolvedAt, resolvedRunId });
    await this.note(interrupt, answer, resolvedRunId);
    if (always) await this.rules.give(interrupt);
    return { ...interrupt, ...answer, resolvedAt, resolvedRunId };
  }

  private async note(
    interrupt: Interrupt,
    { status, grantedInput }: Pick<ReadAnswer, 'status' | 'grantedInput'>,
    resolvedRunId: string | null,
  ): Promise<void> {
    const { id: interruptId, userId, kind, module, method, inputHash } = interrupt;
    const input = grantedInput ?? interrupt.input;
    await this.audit.record({
      kind: 'approval_resolved',
      // Nobody has answered what time has ended.
      actor: status === 'expired' ? 'system' : userId,
      subject: `${module}.${method}`,
      decision: grantedInput ? 'allow' : 'deny',
      rule: interrupt.rule,
      argumentsHash: this.argumentsHash.of({ module, method, input }),
      outcome: 'success',
      runId: interrupt.runId,
      threadId: interrupt.threadId,
      toolCallId: interrupt.toolCallId,
      credentialJti: interrupt.credentialJti,
      details: {
        interruptId,
        kind,
        status,
        edited: callHash(module, method, input) !== inputHash,
        resolvedRunId,
      },
    });
  }
}
