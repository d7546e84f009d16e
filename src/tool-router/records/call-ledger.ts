import { Injectable } from '@nestjs/common';
import { StewardError } from '../../common/steward-error.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import type { ToolAgentOutput } from '../../tool-output/tool-agent-output.js';
import type { CapabilityDescriptor } from '../capability.js';
import { ClientCallHandedOut } from '../client-tools/client-call.js';
import { CallSuspended } from '../pipeline/call-suspended.js';
import { CallFailures } from '../pipeline/call-failures.js';
import type { CallFacts } from '../tool-invocation.js';
import { BrokenOffCall } from './broken-off-call.js';
import { callOf, CallRecords } from './call-records.js';
import { ToolRecordStore, type RecordKey } from './tool-record.store.js';

/** How much longer than its method a statement may take; the method's own limit comes first. */
const STATEMENT_GRACE_MS = 250;

/** What the ledger must know of a method. */
export type MethodLimits = Pick<CapabilityDescriptor, 'effect' | 'timeoutMs'>;

/** Carries a failure out of the transaction that it must roll back. */
class RolledBack extends Error {
  constructor(readonly record: ToolAgentOutput) {
    super('rolled back');
  }
}

/** Ends the transaction of a call that another one has recorded in the meantime. */
class AlreadyRecorded extends Error {
  constructor() {
    super('already recorded');
  }
}

/**
 * Sees to it that a call is executed once and recorded once (PROTOCOL §3, §7). A write and its
 * record commit together or not at all; a call of a run that is recorded already gives back its
 * record.
 */
@Injectable()
export class CallLedger {
  /** Calls of runs that this process is executing. */
  private readonly running = new Map<string, Promise<ToolAgentOutput>>();

  constructor(
    private readonly store: ToolRecordStore,
    private readonly records: CallRecords,
    private readonly uow: UnitOfWork,
    private readonly failures: CallFailures,
  ) {}

  /**
   * Executes `work` unless it has been, and records what it gives. What cannot be recorded is a
   * failure, because nobody could replay it.
   * @param signal of the call: a statement of a write that is under way as it aborts is cancelled, also
   *   one that waits for a lock; what is being committed is committed, and is what the call came to.
   * @throws CallSuspended of `work`: a call that waits for a person has no record, and leaves no trace of
   * the attempt; ClientCallHandedOut of `work`: one that waits for its client has no record either, and
   * has used up what a person granted to it; BrokenOffCall when the caller of a run's call left and nobody
   * ended the run: no record, no trace; nothing else.
   */
  async settle(
    key: RecordKey,
    facts: CallFacts,
    method: MethodLimits,
    work: () => Promise<ToolAgentOutput>,
    signal?: AbortSignal,
  ): Promise<ToolAgentOutput> {
    const { userId, runId, toolCallId } = key;
    if (runId === null) return this.settleOnce(key, facts, method, work, signal);
    const name = `${userId} ${runId} ${toolCallId}`;
    for (;;) {
      const running = this.running.get(name);
      if (!running) break;
      try {
        return await this.join(key, facts, running);
      } catch (error) {
        // Its caller has left; this one is still there.
        if (!(error instanceof BrokenOffCall)) throw error;
      }
    }
    const settling = this.settleOnce(key, facts, method, work, signal).finally(() =>
      this.running.delete(name),
    );
    this.running.set(name, settling);
    return settling;
  }

  /** A call that this process is executing is executed once; whoever asks again gets its record. */
  private async join(
    key: RecordKey,
    facts: CallFacts,
    running: Promise<ToolAgentOutput>,
  ): Promise<ToolAgentOutput> {
    const record = await running;
    try {
      return await this.records.replay(key, record, facts);
    } catch (error) {
      return this.records.unrecorded(facts, error);
    }
  }

  private async settleOnce(
    key: RecordKey,
    facts: CallFacts,
    method: MethodLimits,
    work: () => Promise<ToolAgentOutput>,
    signal?: AbortSignal,
  ): Promise<ToolAgentOutput> {
    try {
      const stored = await this.records.find(key);
      if (stored) return await this.records.replay(key, stored, facts);
      if (method.effect === 'read') return await this.records.save(key, facts, await work());
      return await this.write(key, facts, method.timeoutMs, work, signal);
    } catch (error) {
      if (passes(error)) throw error;
      return this.records.unrecorded(facts, error);
    }
  }

  private async write(
    key: RecordKey,
    facts: CallFacts,
    timeoutMs: number,
    work: () => Promise<ToolAgentOutput>,
    signal?: AbortSignal,
  ): Promise<ToolAgentOutput> {
    try {
      const outcome = await this.uow.run(async () => {
        // A call whose time is over ends with its statement, not when the statement likes.
        await this.store.limitStatements(timeoutMs + STATEMENT_GRACE_MS);
        const call = callOf(key);
        if (call) {
          await this.store.lock(call);
          // Its record may lie in the object store, for which no transaction waits.
          if (await this.store.has(call)) throw new AlreadyRecorded();
        }
        const record = await orHandedOut(work);
        // What a person granted to it is used up with that: it is for the client from here on.
        if (record instanceof ClientCallHandedOut) return record;
        if (record.status === 'failure') throw new RolledBack(record);
        if (await this.records.insert(key, record)) return record;
        throw new StewardError('CONFLICT', 'This call has been recorded in the meantime.');
      }, signal);
      if (outcome instanceof ClientCallHandedOut) throw outcome;
      return outcome;
    } catch (error) {
      if (passes(error)) throw error;
      if (error instanceof RolledBack) return this.records.save(key, facts, error.record);
      if (error instanceof AlreadyRecorded) return this.records.recorded(key, facts);
      // When the answer to COMMIT was lost, saving finds out whether it went through.
      return this.records.save(
        key,
        facts,
        this.failures.record(facts, signal?.aborted ? signal.reason : error),
      );
    }
  }
}

/** What is no outcome of a call: it waits for a person or its client, or goes on elsewhere. */
function passes(error: unknown): boolean {
  return (
    error instanceof CallSuspended ||
    error instanceof ClientCallHandedOut ||
    error instanceof BrokenOffCall
  );
}

/** A call that is handed out as a value, so that its transaction commits. */
async function orHandedOut(
  work: () => Promise<ToolAgentOutput>,
): Promise<ToolAgentOutput | ClientCallHandedOut> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ClientCallHandedOut) return error;
    throw error;
  }
}
