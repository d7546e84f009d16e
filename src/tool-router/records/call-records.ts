import { isDeepStrictEqual } from 'node:util';
import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { StewardError } from '../../common/steward-error.js';
import { CredentialService } from '../../credential/credential.service.js';
import type { ToolAgentOutput } from '../../tool-output/tool-agent-output.js';
import { CallFailures } from '../pipeline/call-failures.js';
import { failureRecord } from '../pipeline/record-builder.js';
import { asStewardError } from '../pipeline/tool-error.js';
import { RUN_FACTS, type RunFacts } from '../run-facts.js';
import type { CallFacts } from '../tool-invocation.js';
import { BrokenOffCall } from './broken-off-call.js';
import { CallAudit } from './call-audit.js';
import {
  ToolRecordStore,
  UnreadableRecordError,
  type RecordKey,
  type RunCall,
} from './tool-record.store.js';

/** Records of calls as their callers get them: the first one that was kept counts. */
@Injectable()
export class CallRecords {
  constructor(
    private readonly store: ToolRecordStore,
    private readonly audit: CallAudit,
    private readonly credentials: CredentialService,
    @Inject(RUN_FACTS) private readonly runs: RunFacts,
    private readonly failures: CallFailures,
    private readonly clock: Clock,
  ) {}

  /**
   * Records what came out outside of any transaction; a record that exists already wins.
   * @throws BrokenOffCall.
   */
  async save(key: RecordKey, facts: CallFacts, record: ToolAgentOutput): Promise<ToolAgentOutput> {
    if (record.error?.code === 'CANCELLED' && (await this.goesOn(key))) {
      throw new BrokenOffCall(record);
    }
    if (await this.insert(key, record)) return record;
    const stored = await this.find(key);
    if (stored) return this.replay(key, stored, facts);
    throw new BrokenOffCall(record);
  }

  /**
   * Whether the run of a call goes on. Whoever ends one revokes its credential before the call hears of
   * it, wherever it is executed.
   */
  private async goesOn({ runId, trace: { credentialJti } }: RecordKey): Promise<boolean> {
    if (runId === null || credentialJti === null) return false;
    return !(await this.credentials.isRevoked(credentialJti));
  }

  /**
   * @returns false when there is one already, which stays as it is; and when the call's run has come to wait:
   *   who executes it was taken for dead and went on late, and the call is for whoever goes on with the run.
   */
  async insert(key: RecordKey, record: ToolAgentOutput): Promise<boolean> {
    const { userId, runId } = key;
    if (runId !== null && (await this.runs.hasWaited(userId, runId))) return false;
    return this.store.insert(key, record, this.audit.draft(key, record));
  }

  /**
   * The record that another attempt has kept.
   * @throws StewardError NOT_FOUND when it was deleted; UnreadableRecordError.
   */
  async recorded(key: RecordKey, facts: CallFacts): Promise<ToolAgentOutput> {
    const stored = await this.find(key);
    if (stored) return this.replay(key, stored, facts);
    throw new StewardError('NOT_FOUND', 'The record of this call was deleted in the meantime.');
  }

  /** Null for none, and for a call outside of a run. @throws UnreadableRecordError. */
  async find(key: RecordKey): Promise<ToolAgentOutput | null> {
    const call = callOf(key);
    return call && this.store.find(call);
  }

  /** A recorded call may be asked for again; its id may not be used for another call. */
  async replay(
    key: RecordKey,
    stored: ToolAgentOutput,
    facts: CallFacts,
  ): Promise<ToolAgentOutput> {
    if (isDeepStrictEqual(stored.tool_call_args, facts.args)) {
      await this.audit.replayed(key, stored);
      return stored;
    }
    const message = 'This tool_call_id already names another call of the run.';
    const refusal = failureRecord(facts, new StewardError('CONFLICT', message), this.clock.now());
    await this.audit.unrecorded(key, refusal);
    return refusal;
  }

  /** What a call comes to of which `error` kept the record from being stored or read. */
  unrecorded(facts: CallFacts, error: unknown): ToolAgentOutput {
    if (error instanceof UnreadableRecordError) return this.failures.record(facts, error);
    const cause = asStewardError(error).cause ?? error;
    const message = 'The call could not be recorded, so its result does not count. Try again.';
    return this.failures.record(
      facts,
      new StewardError('DEPENDENCY_UNAVAILABLE', message, {}, { cause }),
    );
  }
}

/** Null for a call outside of a run, which is never the same call twice. */
export function callOf({ userId, runId, toolCallId }: RecordKey): RunCall | null {
  return runId === null ? null : { userId, runId, toolCallId };
}
