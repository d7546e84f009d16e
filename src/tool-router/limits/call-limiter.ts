import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { StewardError } from '../../common/steward-error.js';
import { CapabilityAccess } from '../capability-access.js';
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
  constructor(
    private readonly access: CapabilityAccess,
    private readonly counter: CallCounter,
    private readonly clock: Clock,
  ) {}

  /**
   * Counts the call.
   * @throws StewardError LIMIT_EXCEEDED for a run that has called often enough, RATE_LIMITED with
   * the time until the count begins anew, DEPENDENCY_UNAVAILABLE when nobody can count.
   */
  async take({ capability, context }: ToolInvocation): Promise<void> {
    const now = this.clock.now();
    const windows = limitWindows(this.access.limits(capability), context, now);
    if (windows.length === 0) return;
    const { id } = capability.descriptor;
    const full = await this.count(id, windows, now);
    if (full) throw refusal(id, full, now);
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
