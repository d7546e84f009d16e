import { Inject, Injectable } from '@nestjs/common';
import { ArgumentsHash } from '../audit/arguments-hash.js';
import { AuditTrail } from '../audit/audit-trail.js';
import { Clock } from '../common/clock.js';
import { newId } from '../common/ids.js';
import { StewardError } from '../common/steward-error.js';
import { APP_CONFIG, type AppConfig } from '../config/app-config.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { ApprovalRuleRepository } from './approval-rule.repository.js';
import { permitsOf, type Ask, type AskedCall, type Permits } from './asked-call.js';
import { callHash, statusAt, type Interrupt } from './interrupt.js';
import { InterruptRepository, type NewInterrupt } from './interrupt.repository.js';
import { onlyAsEdited, refusalOf, waiting } from './refusal.js';
import { approvalSchema, questionSchema } from './response-schema.js';
import { approvalMessage } from './texts.js';

/** Calls outside of runs that a user may have waiting; each is a row that an agent makes. */
const MAX_PENDING = 50;

/** What persons granted to calls, and what they are asked for; the tool side. */
@Injectable()
export class CallPermits {
  constructor(
    @Inject(APP_CONFIG) private readonly config: Pick<AppConfig, 'INTERRUPT_TTL_SECONDS'>,
    private readonly interrupts: InterruptRepository,
    private readonly rules: ApprovalRuleRepository,
    private readonly audit: AuditTrail,
    private readonly argumentsHash: ArgumentsHash,
    private readonly uow: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * What was granted to exactly this call: of this user, in this session (the run that resumes it, or
   * outside of runs the same credential), with this input; of a call that is handed out, also what it has
   * used up. When nothing was, the person is asked, once however often the call is repeated.
   * @param confirm runs in the transaction that stores what is asked; its throw stops it. It sees to it
   *   that the call's session goes on until that has committed: whoever ends it finds the question.
   * @throws StewardError APPROVAL_REQUIRED while the call waits, APPROVAL_DENIED, APPROVAL_EXPIRED;
   * LIMIT_EXCEEDED when too much waits already; CONFLICT; what `ask.describe` and `confirm` throw.
   */
  async find(call: AskedCall, ask: Ask, confirm: () => Promise<void>): Promise<Permits> {
    if (ask.kind === 'approval' && ask.standing) {
      const { userId, profile, module, method } = call;
      if (await this.rules.holds(userId, profile, `${module}.${method}`, ask.rule)) {
        return { approval: 'standing' };
      }
    }
    const hash = callHash(call.module, call.method, call.input);
    const known = await this.known(call, ask, hash);
    for (const interrupt of known) {
      const permits = permitsOf(interrupt, ask.kind, hash, call.handsOut);
      if (permits) return permits;
    }
    for (const interrupt of known) this.assertOpen(interrupt, hash);
    throw await this.raise(call, ask, hash, confirm);
  }

  /**
   * Uses up what was granted, in the current transaction: with the call's effect, or not at all.
   * @returns false when somebody else has used it, or it was granted for other input.
   */
  consume(interrupt: Interrupt, hash: string): Promise<boolean> {
    return this.interrupts.consume(interrupt.userId, interrupt.id, hash, this.clock.now());
  }

  /** A person calls in person: pressing a button is the approval of what it does. */
  async notePress(call: AskedCall, rule: string): Promise<void> {
    await this.audit.record({
      ...this.auditFacts(call),
      kind: 'approval_resolved',
      decision: 'allow',
      rule,
      outcome: 'success',
    });
  }

  private known(call: AskedCall, ask: Ask, hash: string): Promise<Interrupt[]> {
    const { userId, runId, toolCallId, credentialJti, handsOut } = call;
    return runId === null
      ? this.interrupts.ofSession({ userId, credentialJti, kind: ask.kind, hash })
      : this.interrupts.resolvedFor({ userId, resolvedRunId: runId, toolCallId }, handsOut);
  }

  /** @throws StewardError when the call waits, or was refused. */
  private assertOpen(interrupt: Interrupt, hash: string): void {
    if (interrupt.inputHash !== hash) return;
    const status = statusAt(interrupt, this.clock.now());
    if (status === 'pending') throw waiting(interrupt);
    const refusal = refusalOf({ ...interrupt, status });
    if (refusal) throw refusal;
    if (interrupt.grantedHash !== hash) throw onlyAsEdited(interrupt);
  }

  /** Asks the person. @returns the error that says so. */
  private async raise(
    call: AskedCall,
    ask: Ask,
    hash: string,
    confirm: () => Promise<void>,
  ): Promise<StewardError> {
    if (call.door === 'action') {
      const message = 'A button cannot ask a question back; ask for it in a conversation.';
      return new StewardError('FORBIDDEN', message);
    }
    const { userId, runId, toolCallId } = call;
    const interrupt = await this.draft(call, ask, hash);
    const inserted = await this.uow.run(async () => {
      await confirm();
      if (runId === null) await this.interrupts.lockOutsideRuns(userId);
      if (!(await this.interrupts.insertIfAbsent(interrupt))) return false;
      if (runId === null) await this.assertFew(userId);
      await this.audit.record({
        ...this.auditFacts(call),
        kind: 'approval_requested',
        decision: 'ask',
        rule: ask.rule,
        outcome: 'pending',
        details: { interruptId: interrupt.id, kind: ask.kind },
      });
      return true;
    });
    if (inserted) return waiting(interrupt);
    const others =
      runId === null
        ? await this.known(call, ask, hash)
        : [await this.interrupts.raisedBy(userId, runId, toolCallId)];
    for (const other of others) if (other) this.assertOpen(other, hash);
    return new StewardError('CONFLICT', 'This call was asked for and answered in the meantime.');
  }

  /** In the transaction of the one that was stored last; others wait for that to be over. */
  private async assertFew(userId: string): Promise<void> {
    const count = await this.interrupts.countPendingOutsideRuns(userId, this.clock.now());
    if (count <= MAX_PENDING) return;
    const message = `${MAX_PENDING} calls wait for an answer already.`;
    throw new StewardError('LIMIT_EXCEEDED', message);
  }

  private async draft(call: AskedCall, ask: Ask, inputHash: string): Promise<NewInterrupt> {
    const { door: _door, handsOut: _handsOut, locale, credentialExpiresAt, ...session } = call;
    const createdAt = this.clock.now();
    const end = createdAt.getTime() + this.config.INTERRUPT_TTL_SECONDS * 1000;
    // Outside of runs nobody but the holder of the same credential can use the answer.
    const last = call.runId === null ? Math.min(end, credentialExpiresAt.getTime()) : end;
    return {
      ...session,
      id: newId('int'),
      kind: ask.kind,
      inputHash,
      rule: ask.rule,
      message:
        ask.kind === 'question'
          ? ask.message
          : approvalMessage(`${call.module}.${call.method}`, await ask.describe(), locale),
      responseSchema:
        ask.kind === 'question' ? questionSchema(ask.schema) : approvalSchema({ ...ask, locale }),
      createdAt,
      expiresAt: new Date(last),
    };
  }

  private auditFacts(call: AskedCall) {
    const { userId, module, method, input, runId, threadId, toolCallId, door } = call;
    return {
      actor: userId,
      subject: `${module}.${method}`,
      argumentsHash: this.argumentsHash.of({ module, method, input }),
      runId,
      threadId,
      toolCallId,
      door,
      credentialJti: call.credentialJti,
    };
  }
}
