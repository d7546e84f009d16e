import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../../common/clock.js';
import { isPassingFailure } from '../../../database/passing-failure.js';
import type { AssistantToolCall } from '../../../threads/thread-message.js';
import type { ToolAgentOutput } from '../../../tool-output/tool-agent-output.js';
import {
  ToolRecordStore,
  UnreadableRecordError,
} from '../../../tool-router/records/tool-record.store.js';
import { toRunResult } from '../../loop/run-result.js';
import type { WriterPorts } from '../../loop/run-event-writer.js';
import { unexecutedCall, type Refusal } from '../../loop/unexecuted-call.js';
import { text } from '../../texts.js';
import type { Run } from '../run.js';

/** What is known of calls without a result when their run ends. */
export interface Settling {
  /** The call that was begun and whose outcome is not known. */
  begunId: string | null;
  /** Why calls were not executed, by their ids. */
  refusals?: ReadonlyMap<string, Refusal>;
  /** Absent: a record that is not there for a fault of ours is an error. */
  fallback?: ClosingFallback;
}

/**
 * What is left out so that a run can be ended at all; each goes further than the one before: calls are told
 * of by their own records where these can be written, then by ones that say nothing but that the outcome is
 * not known; then what the run has asked stays for the sweeper of questions; then no message is stored, so
 * that only the stream tells of what was open.
 */
export const CLOSING_FALLBACKS = [
  'skip the faulty record',
  'skip records',
  'leave questions',
  'skip messages',
] as const;
export type ClosingFallback = (typeof CLOSING_FALLBACKS)[number];

/** Every record stays in its row, for the sweeper to move. */
export const LEFT_IN_ROWS: WriterPorts['outputs'] = {
  place: () => Promise.resolve({ placement: { state: 'write_failed' }, callId: null }),
  commit: () => Promise.resolve(),
};

/** No message is stored. */
export const NO_MESSAGES: WriterPorts['messages'] = { appendAll: () => Promise.resolve([]) };

/** The records of the calls that a run leaves open when it ends: call and result always pair. */
@Injectable()
export class OpenCallRecords {
  private readonly logger = new Logger(OpenCallRecords.name);

  constructor(
    private readonly records: ToolRecordStore,
    private readonly clock: Clock,
  ) {}

  /**
   * Each call's own record where it got that far; otherwise one that says what is not known.
   * @throws whatever the database throws; with `fallback`, only what passes.
   */
  async of(run: Run, calls: AssistantToolCall[], settling: Settling): Promise<ToolAgentOutput[]> {
    const { fallback } = settling;
    if (fallback === 'skip the faulty record') {
      return this.eachAlone(calls, (call) => this.writable(run, call, settling));
    }
    if (fallback) return calls.map((call) => this.bare(run, call));
    const { userId, id } = run;
    const callIds = calls.map((call) => call.id);
    try {
      const found = await this.records.findAll(userId, id, callIds);
      return calls.map((call) => found.get(call.id) ?? this.unknown(run, call, settling));
    } catch (error) {
      if (!(error instanceof UnreadableRecordError)) throw error;
      return this.eachAlone(calls, (call) => this.readable(run, call, settling));
    }
  }

  /** For the few calls of one turn, where a fault of one must not cost the others theirs. */
  private async eachAlone(
    calls: AssistantToolCall[],
    recordOf: (call: AssistantToolCall) => Promise<ToolAgentOutput>,
  ): Promise<ToolAgentOutput[]> {
    const records: ToolAgentOutput[] = [];
    for (const call of calls) records.push(await recordOf(call));
    return records;
  }

  private async own(run: Run, call: AssistantToolCall, settling: Settling) {
    const { userId, id: runId } = run;
    const found = await this.records.find({ userId, runId, toolCallId: call.id });
    return found ?? this.unknown(run, call, settling);
  }

  /** Where a record lies that nobody can read now, its call says so, as to whoever asks for it again. */
  private async readable(run: Run, call: AssistantToolCall, settling: Settling) {
    try {
      return await this.own(run, call, settling);
    } catch (error) {
      if (!(error instanceof UnreadableRecordError)) throw error;
      const { code, message, retryable } = error;
      return this.refused(run, call, { code, message, retryable });
    }
  }

  private async writable(run: Run, call: AssistantToolCall, settling: Settling) {
    const place = { threadId: run.threadId, runId: run.id };
    try {
      const record = await this.readable(run, call, settling);
      JSON.stringify(await toRunResult(record, place, LEFT_IN_ROWS));
      return record;
    } catch (error) {
      if (isPassingFailure(error)) throw error;
      this.logger.error(`The record of call ${call.id} cannot be told: ${String(error)}`);
      return this.bare(run, call);
    }
  }

  private unknown(run: Run, call: AssistantToolCall, { begunId, refusals }: Settling) {
    const message = text(call.id === begunId ? 'outcomeUnknown' : 'notExecuted', run.locale);
    const unknown: Refusal = { code: 'CANCELLED', message, retryable: false };
    return this.refused(run, call, refusals?.get(call.id) ?? unknown);
  }

  /** With nothing in it that came from the model or a method. */
  private bare(run: Run, { id, name }: AssistantToolCall): ToolAgentOutput {
    const message = text('outcomeUnknown', run.locale);
    return this.refused(
      run,
      { id, name, arguments: '{}' },
      {
        code: 'INTERNAL',
        message,
        retryable: false,
      },
    );
  }

  private refused(run: Run, call: AssistantToolCall, refusal: Refusal): ToolAgentOutput {
    return unexecutedCall(call, refusal, this.clock.now(), run.locale);
  }
}
