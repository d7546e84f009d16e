import { Injectable, Logger } from '@nestjs/common';
import { CLIENT_MODULE, CLIENT_TOOL_NAME } from '../../common/capability-id.js';
import { ArgumentsHash } from '../../audit/arguments-hash.js';
import { AuditTrail, type AuditDraft } from '../../audit/audit-trail.js';
import type { ToolAgentOutput, ToolCallArgs } from '../../tool-output/tool-agent-output.js';
import type { Door } from '../call-context.js';
import { verdictOf } from '../call-trace.js';
import type { RecordKey } from './tool-record.store.js';

/** Who called, and where from; nobody without a valid credential. */
type CallIdentity = Omit<RecordKey, 'userId'> & { userId: string | null };

/** Tool calls in the audit: who, what, decision and rule, hash of the arguments, outcome. */
@Injectable()
export class CallAudit {
  private readonly logger = new Logger(CallAudit.name);

  constructor(
    private readonly trail: AuditTrail,
    private readonly hash: ArgumentsHash,
  ) {}

  /** The entry that is inserted with the record of a call. */
  draft(call: CallIdentity, { status, error, tool_call_args }: ToolAgentOutput): AuditDraft {
    const code = error?.code ?? null;
    const verdict = verdictOf(call.trace, code);
    return this.trail.draft({
      ...this.facts(call, tool_call_args),
      decision: verdict?.effect ?? null,
      rule: verdict?.rule ?? null,
      outcome: code === 'APPROVAL_REQUIRED' ? 'pending' : status,
      code,
    });
  }

  /** A call that its run's client is to carry out: it is allowed whether or not this can be written. */
  async handedOut(call: CallIdentity, args: ToolCallArgs): Promise<void> {
    const { effect, rule } = call.trace.verdict ?? { effect: null, rule: null };
    const entry = { ...this.facts(call, args), decision: effect, rule, code: null };
    try {
      await this.trail.record({ ...entry, outcome: 'pending' });
    } catch (error) {
      this.logger.warn(`A call that was handed out is missing in the audit: ${String(error)}`);
    }
  }

  /** A call that was not executed, because it is recorded already. */
  async replayed(call: CallIdentity, { tool_call_args, error }: ToolAgentOutput): Promise<void> {
    const entry = this.facts(call, tool_call_args);
    await this.trail.record({ ...entry, outcome: 'replayed', code: error?.code ?? null });
  }

  /** A call that gets no record, refused or waiting: it is so whether or not this can be written. */
  async unrecorded(call: CallIdentity, record: ToolAgentOutput): Promise<void> {
    try {
      await this.trail.insert(this.draft(call, record));
    } catch (error) {
      this.logger.warn(`A call without a record is missing in the audit: ${String(error)}`);
    }
  }

  private facts(call: CallIdentity, args: ToolCallArgs) {
    const { userId, runId, threadId, toolCallId, door, trace } = call;
    return {
      kind: 'tool_call',
      actor: userId,
      subject: subjectOf(args),
      argumentsHash: this.hash.of(args),
      runId,
      threadId,
      toolCallId,
      door,
      credentialJti: trace.credentialJti,
    } as const satisfies { door: Door } & Record<string, string | null>;
  }
}

const NAME = /^[a-z][a-z0-9_-]{0,40}$/i;

/** The method that was named; null for what can be the name of none: the audit keeps no such text. */
function subjectOf({ module, method }: ToolCallArgs): string | null {
  const isClients = module === CLIENT_MODULE && CLIENT_TOOL_NAME.test(method);
  return isClients || (NAME.test(module) && NAME.test(method)) ? `${module}.${method}` : null;
}
