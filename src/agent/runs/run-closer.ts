import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { CredentialService } from '../../credential/credential.service.js';
import { EventLog } from '../../events/event-log.js';
import type { RunEvent } from '../../events/run-event.js';
import { RecordPlacer } from '../../output-storage/record-placer.js';
import { MessageStore } from '../../threads/message.store.js';
import type { AssistantToolCall } from '../../threads/thread-message.js';
import type { ToolAgentOutput } from '../../tool-output/tool-agent-output.js';
import { ToolRecordStore } from '../../tool-router/records/tool-record.store.js';
import { RunEventWriter } from '../loop/run-event-writer.js';
import { foldRun } from '../loop/run-fold.js';
import { unexecutedCall } from '../loop/unexecuted-call.js';
import { text } from '../texts.js';
import type { Ending } from './run-ending.js';
import { INSTANCE_ID, RunLostError } from './run-leases.js';
import { RunRepository } from './run.repository.js';
import type { Run } from './run.js';

const PAGE = 500;

/**
 * Ends runs: the last state, the one terminal event and the end of the credential commit together,
 * so that no path ends a run twice or not at all (PROTOCOL §12).
 */
@Injectable()
export class RunCloser {
  constructor(
    @Inject(INSTANCE_ID) private readonly instanceId: string,
    private readonly runs: RunRepository,
    private readonly log: EventLog,
    private readonly messages: MessageStore,
    private readonly outputs: RecordPlacer,
    private readonly records: ToolRecordStore,
    private readonly credentials: CredentialService,
    private readonly clock: Clock,
  ) {}

  /**
   * Ends a run through the writer that wrote it.
   * @param unfinishedCallId the call that was begun and whose outcome is not known.
   * @throws RunLostError when another process holds the run; whatever the database throws.
   */
  async close(
    run: Run,
    startEventId: number,
    writer: RunEventWriter,
    ending: Ending,
    unfinishedCallId: string | null,
  ): Promise<void> {
    await writer.end({
      terminal: ending.terminal,
      settle: (calls) => this.settle(run, calls, unfinishedCallId),
      within: async () => {
        const { status, errorCode, usage } = ending;
        const facts = {
          at: this.clock.now(),
          startEventId,
          usage,
          ...(errorCode && { errorCode }),
        };
        if (!(await this.runs.transition(run, this.instanceId, status, facts))) {
          throw new RunLostError();
        }
        await this.credentials.revokeRun(run.userId, run.id);
      },
    });
  }

  /**
   * Ends a run from its durable events alone: its process died, or a write failed in a way that
   * leaves open what is stored.
   * @throws as `close`.
   */
  async closeFromLog(run: Run, ending: Ending): Promise<void> {
    const bounds = await this.log.lastRun(run.threadId);
    if (bounds?.runId !== run.id) throw new Error(`run ${run.id} is not its thread's last run`);
    const folded = foldRun(await this.eventsOf(run, bounds.startId - 1));
    const { log, messages, outputs, clock } = this;
    const ports = { log, messages, outputs, clock };
    const place = { threadId: run.threadId, runId: run.id };
    const writer = new RunEventWriter({ ...ports, fence: () => undefined }, place, folded);
    // Calls are executed one after another: only the first that is open can have been begun.
    await this.close(run, bounds.startId, writer, ending, folded.open.callIds[0] ?? null);
  }

  /** Each call's own record where it got that far; otherwise one that says what is not known. */
  private async settle(
    { userId, id, locale }: Run,
    calls: AssistantToolCall[],
    begunId: string | null,
  ): Promise<ToolAgentOutput[]> {
    const callIds = calls.map((call) => call.id);
    const records = await this.records.findAll(userId, id, callIds);
    return calls.map((call) => {
      const recorded = records.get(call.id);
      if (recorded) return recorded;
      const message = text(call.id === begunId ? 'outcomeUnknown' : 'notExecuted', locale);
      const refusal = { code: 'CANCELLED' as const, message, retryable: false };
      return unexecutedCall(call, refusal, this.clock.now(), locale);
    });
  }

  private async eventsOf(run: Run, after: number): Promise<RunEvent[]> {
    const events: RunEvent[] = [];
    let last = after;
    for (;;) {
      const page = await this.log.read(run.threadId, last, PAGE);
      for (const logged of page) if (logged.runId === run.id) events.push(logged.event);
      const newest = page.at(-1);
      if (!newest) return events;
      last = newest.id;
    }
  }
}
