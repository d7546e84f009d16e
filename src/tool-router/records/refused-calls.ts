import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { AuditTrail } from '../../audit/audit-trail.js';
import { AddressHash } from '../../auth/address-hash.js';
import { addressKey } from '../../auth/client-address.js';
import { Clock } from '../../common/clock.js';
import type { ErrorCode } from '../../common/error-codes.js';
import type { ToolAgentOutput } from '../../tool-output/tool-agent-output.js';
import type { Door } from '../call-context.js';
import { CallAudit } from './call-audit.js';

const WINDOW_MS = 60_000;
/** Entries of their own that an address, or a user past a budget, gets in a minute. */
const OWN_ENTRIES = 10;
/** Addresses that are counted at a time; those beyond share one count. */
const MAX_KEYS = 10_000;
const OTHERS = 'others';

/** Who was refused: a caller with a credential, or only an address. */
export interface RefusedCaller {
  userId: string | null;
  address: string | undefined;
  door: Door;
}

interface Window extends RefusedCaller {
  since: number;
  calls: number;
  lastCode: ErrorCode | null;
}

/**
 * Calls that were refused before anybody vouched for them, or for being too many, in the audit: the
 * first ten in a minute one by one, the rest as one entry with their number. The audit is kept for
 * ever, so nobody without a right to call may fill it.
 */
@Injectable()
export class RefusedCalls implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(RefusedCalls.name);
  private readonly windows = new Map<string, Window>();
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly calls: CallAudit,
    private readonly trail: AuditTrail,
    private readonly addresses: AddressHash,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.timer = setInterval(() => void this.flush(), WINDOW_MS / 4);
    this.timer.unref();
  }

  async onModuleDestroy(): Promise<void> {
    if (this.timer) clearInterval(this.timer);
    await this.flush(true);
  }

  /** Never rejects: the call is refused whether or not this can be written. */
  async note(caller: RefusedCaller, toolCallId: string, record: ToolAgentOutput): Promise<void> {
    const window = await this.window(caller);
    window.calls += 1;
    window.lastCode = record.error?.code ?? null;
    if (window.calls > OWN_ENTRIES) return;
    const { userId, door } = caller;
    const trace = { credentialJti: null, verdict: null };
    const nobodys = { userId, runId: null, threadId: null, toolCallId, door, trace };
    await this.calls.unrecorded(nobodys, record);
  }

  /** Writes what has been counted in minutes that are over, or in `all`. */
  async flush(all = false): Promise<void> {
    const before = this.clock.now().getTime() - WINDOW_MS;
    for (const [key, window] of this.windows) {
      if (!all && window.since > before) continue;
      this.windows.delete(key);
      await this.close(window);
    }
  }

  private async window(caller: RefusedCaller): Promise<Window> {
    const now = this.clock.now().getTime();
    const own = caller.userId ? `user ${caller.userId}` : addressKey(caller.address);
    const key = this.windows.has(own) || this.windows.size < MAX_KEYS ? own : OTHERS;
    const known = this.windows.get(key);
    if (known && now < known.since + WINDOW_MS) return known;
    const shared = { userId: null, address: undefined, door: caller.door };
    const fresh = { ...(key === OTHERS ? shared : caller), since: now, calls: 0, lastCode: null };
    this.windows.set(key, fresh);
    if (known) await this.close(known);
    return fresh;
  }

  private async close({ calls, userId, address, door, since, lastCode }: Window): Promise<void> {
    const further = calls - OWN_ENTRIES;
    if (further <= 0) return;
    try {
      await this.trail.record({
        kind: 'tool_call',
        actor: userId,
        outcome: 'failure',
        code: lastCode,
        door,
        details: {
          furtherCalls: further,
          since: new Date(since).toISOString(),
          ...(userId === null && { address: this.addresses.of(address) }),
        },
      });
    } catch (error) {
      this.logger.warn(`${further} refused calls are missing in the audit: ${String(error)}`);
    }
  }
}
