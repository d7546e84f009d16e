import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { StewardError } from '../../common/steward-error.js';
import { redactText } from '../../tool-output/credential-scan.js';
import type { ToolAgentOutput } from '../../tool-output/tool-agent-output.js';
import { failureRecord } from '../pipeline/record-builder.js';
import { ToolRecordStore } from '../records/tool-record.store.js';
import type { ExecutionRequest } from '../tool-executor.js';
import type { CallFacts } from '../tool-invocation.js';
import { errorOfDocument } from './child-document.js';

/**
 * How long the record of a call that was broken off is waited for: the router notices that its
 * caller left, ends the call and records what became of it.
 */
const RECORD_WAIT_MS = 1500;
const RECORD_POLL_MS = 50;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** How carrying a call to the tool door ended, whoever carried it. */
export interface Carried {
  /** exit: as it should; the others say who broke it off. */
  end: 'exit' | 'timeout' | 'output' | 'abort' | 'spawn';
  /** The document that came back, as JSON; anything else is none. */
  document: string;
}

/**
 * Gives the record of a call that went over the tool door: the one that the router made, wherever
 * it can be had. One is made here only for a call that the router never saw, or whose end it did
 * not tell.
 */
@Injectable()
export class CallSettlement {
  private readonly logger = new Logger('ProjectCli');

  constructor(
    private readonly records: ToolRecordStore,
    private readonly clock: Clock,
  ) {}

  /** @param onUnclear told when the router has neither recorded the call nor said why. */
  async settle(
    request: ExecutionRequest,
    facts: CallFacts,
    { end, document }: Carried,
    signal: AbortSignal,
    onUnclear: () => void,
  ): Promise<ToolAgentOutput> {
    const record = await this.find(request, facts, end === 'exit' ? 0 : RECORD_WAIT_MS);
    // The router saw its caller leave: our clock or a lost connection, and nobody's wish.
    const nobodysWish = record?.error?.code === 'CANCELLED' && !signal.aborted;
    if (record && !nobodysWish) return record;
    const error = end === 'exit' && !record ? errorOfDocument(document) : null;
    if (error) return failureRecord(facts, error, this.clock.now());
    onUnclear();
    switch (end) {
      case 'timeout':
        return this.fail(facts, 'TIMEOUT', 'The call took too long and was ended.');
      case 'abort':
        return this.fail(facts, 'CANCELLED', 'The call was cancelled.');
      case 'output':
        return this.fail(facts, 'OUTPUT_TOO_LARGE', 'The result is too large; ask for less of it.');
      default:
        // A result that nobody can replay does not count, whatever came back.
        return this.fail(
          facts,
          'DEPENDENCY_UNAVAILABLE',
          record
            ? 'The connection was lost, and the call ended without effect.'
            : 'The call ended without a record of it.',
        );
    }
  }

  private fail(
    facts: CallFacts,
    code: 'TIMEOUT' | 'CANCELLED' | 'OUTPUT_TOO_LARGE' | 'DEPENDENCY_UNAVAILABLE',
    message: string,
  ): ToolAgentOutput {
    return failureRecord(facts, new StewardError(code, message), this.clock.now());
  }

  /** The record of exactly this call, looked for again until `waitMs` are over. */
  private async find(
    call: ExecutionRequest,
    facts: CallFacts,
    waitMs: number,
  ): Promise<ToolAgentOutput | null> {
    const until = performance.now() + waitMs;
    try {
      for (;;) {
        const record = await this.records.find(call);
        const same = JSON.stringify(record?.tool_call_args) === JSON.stringify(facts.args);
        if (record) return same ? record : null;
        if (performance.now() >= until) return null;
        await pause(RECORD_POLL_MS);
      }
    } catch (error) {
      this.logger.error(`The record of a call cannot be read: ${redactText(String(error))}`);
      return null;
    }
  }
}
