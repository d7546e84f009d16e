import { Injectable } from '@nestjs/common';
import type { AskedCall } from '../../interrupts/asked-call.js';
import { CallPermits } from '../../interrupts/call-permits.js';
import { callHash, type Interrupt } from '../../interrupts/interrupt.js';
import { CapabilityAccess } from '../capability-access.js';
import { CallLimiter } from '../limits/call-limiter.js';
import type { CallGate, ToolInvocation } from '../tool-invocation.js';
import { CallSuspended } from './call-suspended.js';

/**
 * The last thing before the handler: a call that needs a person's leave goes on with it, or not at
 * all. The input pipe asks here, through which every method gets its input, so that the input is
 * frozen and nothing gets past.
 */
@Injectable()
export class ApprovalGate implements CallGate {
  constructor(
    private readonly access: CapabilityAccess,
    private readonly permits: CallPermits,
    private readonly limiter: CallLimiter,
  ) {}

  /**
   * Uses up what persons granted to this call; in the transaction of the call's effect.
   * @param value input as the handler gets it.
   * @throws StewardError LIMIT_EXCEEDED, RATE_LIMITED for a method that has been called often enough;
   * CallSuspended when an approval is needed, and when what was granted is gone.
   */
  async admit(invocation: ToolInvocation, value: object): Promise<void> {
    const { capability, context, permits } = invocation;
    const needed = this.access.approval(context.claims, capability);
    // A person with a bearer token of their own has pressed a button that says what it does.
    const isPressed = context.door === 'action';
    if (needed && !isPressed && !permits.approval) throw suspended(invocation, value, needed.rule);
    // It was counted and used its approval up, and its client has not been told of it yet.
    if (context.handsOut && isUsed(invocation)) return;
    // A call that waits has not run, and one that may not run for now uses up no approval.
    await this.limiter.take(invocation);
    if (needed && isPressed) {
      await this.permits.notePress(askedCall(invocation), needed.rule);
      return;
    }
    const { approval, answer } = permits;
    const used = new Map<string, Interrupt>();
    for (const one of [approval, answer]) if (one && one !== 'standing') used.set(one.id, one);
    if (used.size === 0) return;
    const hash = hashOf(invocation);
    for (const interrupt of used.values()) {
      if (await this.permits.consume(interrupt, hash)) continue;
      throw suspended(invocation, value, needed?.rule ?? interrupt.rule ?? '');
    }
  }

  /** For a call that was admitted and came to wait all the same: it has not run. */
  leave(invocation: ToolInvocation): Promise<void> {
    return this.limiter.giveBack(invocation);
  }
}

function isUsed(invocation: ToolInvocation): boolean {
  const { approval } = invocation.permits;
  if (approval === undefined || approval === 'standing') return false;
  return approval.consumedAt !== null && approval.grantedHash === hashOf(invocation);
}

function hashOf({ capability, input }: ToolInvocation): string {
  const { module, method } = capability.descriptor;
  return callHash(module, method, input ?? {});
}

function suspended(invocation: ToolInvocation, value: object, rule: string): CallSuspended {
  const { capability, context } = invocation;
  const standing = capability.descriptor.standingApproval !== false;
  const describe = async () => (await capability.registration.describe?.(value, context)) ?? '';
  return new CallSuspended(askedCall(invocation), { kind: 'approval', rule, standing, describe });
}

/** The call as a person is asked about it; after the input pipe has read it. */
export function askedCall({ capability, context, input }: ToolInvocation): AskedCall {
  const { module, method } = capability.descriptor;
  const { userId, threadId, runId, toolCallId, locale, door, claims, handsOut = false } = context;
  return {
    userId,
    threadId,
    runId,
    credentialJti: claims.jti,
    credentialExpiresAt: claims.expiresAt,
    toolCallId,
    profile: claims.profile,
    module,
    method,
    input: input ?? {},
    locale,
    door,
    handsOut,
  };
}
