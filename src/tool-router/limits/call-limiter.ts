import { Inject, Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { StewardError } from '../../common/steward-error.js';
import { CapabilityAccess } from '../capability-access.js';
import { RUN_FACTS, type RunFacts } from '../run-facts.js';
import type { ToolInvocation } from '../tool-invocation.js';
import { CallCounter } from './call-counter.js';
import { limitWindows, type LimitWindow } from './limit-windows.js';

/**
 * Holds calls to the limits that admins set (PROTOCOL §15). It is asked last, when nothing else keeps
 * a call from running, so that what never ran does not count; a call that failed does. A method
 * without limits costs nothing.
 */
@Injectable()
export class CallLimiter {
  private readonly logger = new Logger(CallLimiter.name);
  /** What calls that are under way were counted in. */
  private readonly counted = new WeakMap<ToolInvocation, readonly LimitWindow[]>();

  constructor(
    private readonly access: CapabilityAccess,
    private readonly counter: CallCounter,
    @Inject(RUN_FACTS) private readonly runs: RunFacts,
    private readonly clock: Clock,
  ) {}

  /**
   * Counts the call.
   * @throws StewardError LIMIT_EXCEEDED for a run that has called often enough, RATE_LIMITED with
   * the time until the count begins anew, DEPENDENCY_UNAVAILABLE when nobody can count.
   */
  async take(invocation: ToolInvocation): Promise<void> {
    const { capability, context } = invocation;
    const now = this.clock.now();
    const limits = this.access.limits(capability);
    const { userId, runId } = context;
    const counts = limits.callsPerRun !== undefined && runId !== null;
    const first = counts ? await this.runs.originOf(userId, runId) : runId;
    const windows = limitWindows(limits, { userId, runId: first }, now);
    if (windows.length === 0) return;
    const { id } = capability.descriptor;
    const full = await this.count(id, windows, now);
    if (full) throw refusal(id, full, now);
    this.counted.set(invocation, windows);
  }

  /**
   * Takes the count of a call back that came to wait for a person: it counts when it goes on. A count
   * that cannot be taken back stands.
   */
  async giveBack(invocation: ToolInvocation): Promise<void> {
    const windows = this.counted.get(invocation);
    if (!windows) return;
    this.counted.delete(invocation);
    const { id } = invocation.capability.descriptor;
    try {
      await this.counter.uncount(id, windows);
    } catch (error) {
      this.logger.warn(`A call of ${id} that waits was counted: ${String(error)}`);
    }
  }

  private async count(id: string, windows: LimitWindow[], now: Date): Promise<LimitWindow | null> {
    try {
      return await this.counter.count(id, windows, now);
    } catch (cause) {
      const message = 'The calls of this method cannot be counted at the moment.';
      throw new StewardError('DEPENDENCY_UNAVAILABLE', message, {}, { cause });
    }
  }
}

function refusal(id: string, { limit, max, endsAt }: LimitWindow, now: Date): StewardError {
  if (!endsAt) {
    return new StewardError('LIMIT_EXCEEDED', `A run may call ${id} ${max} times at most.`);
  }
  const message = `${id} has been called as often as it may be for now (${limit} ${max}).`;
  return new StewardError('RATE_LIMITED', message, {
    retryAfterMs: Math.max(1, endsAt.getTime() - now.getTime()),
  });
}
