import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { APP_CONFIG, type AppConfig } from '../../config/app-config.js';
import { MessageStore } from '../../threads/message.store.js';
import { findCredential } from '../../tool-output/credential-scan.js';
import type { ToolAgentOutput } from '../../tool-output/tool-agent-output.js';
import { credentialInInput } from '../../tool-router/credential-in-input.js';
import { CallAudit } from '../../tool-router/records/call-audit.js';
import { ToolRecordStore } from '../../tool-router/records/tool-record.store.js';
import { handedOutCalls } from '../runs/open-call.js';
import type { ReadToolAnswer } from '../runs/requests/run-request.js';
import type { Run } from '../runs/run.js';
import { answerRecord, unansweredRecord, type Unanswered } from './answer-record.js';

/** What became of the calls that a run had left to its client. */
export interface SettledCalls {
  /** By the ids of the calls. */
  records: Map<string, ToolAgentOutput>;
  /** Ids of the messages that said so, where they may be those of the thread. */
  messageIds: Record<string, string>;
}

/** Records what clients made of calls of their tools, each once, or that they did not answer. */
@Injectable()
export class ClientAnswers {
  constructor(
    @Inject(APP_CONFIG) private readonly config: Pick<AppConfig, 'TOOL_OUTPUT_MAX_BYTES'>,
    private readonly records: ToolRecordStore,
    private readonly messages: MessageStore,
    private readonly audit: CallAudit,
    private readonly clock: Clock,
  ) {}

  /**
   * Which of the tool messages of a client answer something that waits, or did.
   * @param waiting the run of the thread that waits; null for none.
   */
  async among(
    userId: string,
    threadId: string,
    waiting: Run | null,
    messages: readonly ReadToolAnswer[],
  ): Promise<ReadToolAnswer[]> {
    const pending = new Set(handedOutCalls(waiting?.openCalls ?? []).map(({ id }) => id));
    const answers = messages.filter(({ toolCallId }) => pending.has(toolCallId));
    if (answers.length > 0) return answers;
    const ids = messages.map(({ toolCallId }) => toolCallId);
    const settled = await this.records.clientCalls(userId, threadId, ids);
    return messages.filter(({ toolCallId }) => settled.has(toolCallId));
  }

  /** @throws StewardError CREDENTIAL_IN_INPUT for an answer that carries one, which a model would read. */
  assertClean(answers: readonly ReadToolAnswer[]): void {
    for (const { content, error, path } of answers) {
      for (const [key, said] of Object.entries({ content, error })) {
        const found = findCredential(said);
        if (found) {
          const at = [path, key, found.path].filter((part) => part !== '').join('.');
          throw credentialInInput(at);
        }
      }
    }
  }

  /**
   * Settles the calls that a run had left to its client, for the run that goes on; in the transaction in
   * which the former ceases to wait, so that nobody else does.
   * @param why what becomes of calls without an answer; null: they go on waiting.
   */
  async settle(
    waiting: Run,
    run: Run,
    answers: readonly ReadToolAnswer[],
    why: Unanswered | null,
  ): Promise<SettledCalls> {
    const at = this.clock.now();
    const records = new Map<string, ToolAgentOutput>();
    const answered: ReadToolAnswer[] = [];
    for (const { id: toolCallId, handedOut: call } of handedOutCalls(waiting.openCalls ?? [])) {
      const answer = answers.find((one) => one.toolCallId === toolCallId);
      const facts = { toolCallId, call, at, locale: waiting.locale };
      // What comes too late is not looked at.
      const counts = answer && why !== 'expired';
      if (!counts && why === null) continue;
      const record = counts
        ? answerRecord(facts, answer, this.config.TOOL_OUTPUT_MAX_BYTES)
        : unansweredRecord(facts, why ?? 'expired');
      records.set(toolCallId, record);
      if (counts) answered.push(answer);
    }
    await this.insert(run, [...records.values()]);
    return { records, messageIds: await this.freeIds(run, answered) };
  }

  /** Settles them without an answer; in the caller's transaction. @param closingRun the run that tells of that. */
  async giveUp(waiting: Run, closingRun: Run, why: Unanswered): Promise<void> {
    await this.settle(waiting, closingRun, [], why);
  }

  private async insert({ id, threadId, userId }: Run, records: ToolAgentOutput[]): Promise<void> {
    const made = records.map((record) => {
      const key = {
        runId: id,
        threadId,
        toolCallId: record.tool_call_id,
        userId,
        door: 'agent' as const,
        trace: { credentialJti: null, verdict: null },
      };
      return { key, record, audit: this.audit.draft(key, record) };
    });
    if ((await this.records.insertAll(made)) === made.length) return;
    throw new Error('a call of a client was recorded twice in one run');
  }

  /**
   * The clients' own ids of their messages, which they then have once, by the ids of the calls: not those
   * that the thread knows, each for one message.
   */
  private async freeIds(
    { threadId, messageId }: Run,
    answers: readonly ReadToolAnswer[],
  ): Promise<Record<string, string>> {
    const named = answers.flatMap((one) => (one.messageId === undefined ? [] : [one.messageId]));
    const taken = await this.messages.taken(threadId, named);
    // The run's own message may not be stored yet.
    taken.add(messageId);
    const free: Record<string, string> = {};
    for (const { toolCallId, messageId: id } of answers) {
      if (id === undefined || taken.has(id)) continue;
      taken.add(id);
      free[toolCallId] = id;
    }
    return free;
  }
}
