import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../../common/clock.js';
import { CredentialService } from '../../../credential/credential.service.js';
import { EventLog } from '../../../events/event-log.js';
import { RunLostError } from '../../../events/run-lost-error.js';
import { RecordPlacer } from '../../../output-storage/record-placer.js';
import { MessageStore } from '../../../threads/message.store.js';
import { RunEventWriter, type WriterPorts } from '../../loop/run-event-writer.js';
import { foldRun, type FoldedRun } from '../../loop/run-fold.js';
import { wholeState } from '../../loop/run-state-events.js';
import { text } from '../../texts.js';
import {
  LEFT_IN_ROWS,
  NO_MESSAGES,
  OpenCallRecords,
  type ClosingFallback,
  type Settling,
} from './open-call-records.js';
import type { Ended, Ending, TerminalEvent } from './run-ending.js';
import { RunEvents } from '../run-events.js';
import { RunInterrupts } from '../waiting/run-interrupts.js';
import { RunLeaseRepository } from '../queue/run-lease.repository.js';
import { INSTANCE_ID } from '../queue/run-leases.js';
import { RunStateRepository } from '../run-state.repository.js';
import type { Run } from '../run.js';

/** The run was to wait, and somebody has asked for its end in the meantime. */
export class CancelledMeanwhile extends Error {}

/**
 * Ends runs, or has them wait: the state, the one terminal event and the end of the credential commit
 * together, so that no path ends a run twice or not at all (PROTOCOL §12).
 */
@Injectable()
export class RunCloser {
  constructor(
    @Inject(INSTANCE_ID) private readonly instanceId: string,
    private readonly states: RunStateRepository,
    private readonly leases: RunLeaseRepository,
    private readonly log: EventLog,
    private readonly events: RunEvents,
    private readonly messages: MessageStore,
    private readonly outputs: RecordPlacer,
    private readonly records: OpenCallRecords,
    private readonly credentials: CredentialService,
    private readonly interrupts: RunInterrupts,
    private readonly clock: Clock,
  ) {}

  /**
   * Ends a run through the writer that wrote it; one that waits keeps its open calls.
   * @param settling what is known of the calls that have no result.
   * @throws CancelledMeanwhile when it was to wait and is to be cancelled; RunLostError when another
   *   process holds the run; whatever the database throws.
   */
  async close(
    run: Run,
    startEventId: number,
    writer: RunEventWriter,
    ending: Ending,
    settling: Settling,
  ): Promise<void> {
    await writer.end({
      terminal: ending.terminal,
      settle: (calls) =>
        ending.waits ? Promise.resolve([]) : this.records.of(run, calls, settling),
      within: async () => {
        // Before what it has asked is ended: no call can ask any more from here on.
        await this.credentials.revokeRun(run.userId, run.id);
        await this.step(run, startEventId, ending, settling.fallback);
      },
    });
  }

  /**
   * Ends a run from its durable events alone: its process died, or a write failed in a way that
   * leaves open what is stored.
   * @param known what is known of its open calls; which was begun is taken from its events otherwise.
   * @throws as `close`.
   */
  async closeFromLog(run: Run, ending: Ending, known: Partial<Settling> = {}): Promise<void> {
    const { id: startId } = await this.events.startOf(run);
    const inherited = (await this.events.resumedBy(run))?.openCalls ?? [];
    const folded = foldRun(await this.events.of(run, startId), inherited);
    if (folded.open.ended) throw new RunLostError();
    // Calls are executed one after another: only the first that is open can have been begun. Those of
    // a client are not executed here.
    const first = folded.calls.find(({ client }) => !client);
    const begunId = run.status === 'queued' ? null : (first?.id ?? null);
    const settling = { begunId, ...known };
    const writer = this.writer(run, folded, {
      ...(known.fallback && { outputs: LEFT_IN_ROWS }),
      ...(known.fallback === 'skip messages' && { messages: NO_MESSAGES }),
    });
    await this.close(run, startId, writer, ending, settling);
  }

  /**
   * Ends a run with nothing but its terminal event, its state and the end of its credential: not even its
   * events can be read, so nobody knows what is open in its stream. To AG-UI only RUN_ERROR ends what is
   * open, so that this is told of a run that was cancelled, too; its state says what it is.
   * @throws RunLostError when another process holds the run; whatever the database throws.
   */
  async closeWithErrorOnly(run: Run, { status, terminal, errorCode, usage }: Ended): Promise<void> {
    const { userId, id, threadId, startEventId, locale } = run;
    const holder = { userId, instanceId: this.instanceId };
    const facts = { at: this.clock.now(), startEventId, usage, ...(errorCode && { errorCode }) };
    const within = async (): Promise<void> => {
      const ended = await this.states.transition(run, this.instanceId, status, facts);
      if (!ended) throw new RunLostError();
      await this.credentials.revokeRun(userId, id);
    };
    const last: TerminalEvent =
      terminal.type === 'RUN_ERROR'
        ? terminal
        : { type: 'RUN_ERROR', code: 'CANCELLED', message: text('cancelledUntold', locale) };
    const events = [wholeState(id, status), last];
    await this.log.append(threadId, id, events, within, holder);
  }

  /**
   * A writer for a run that no loop executes.
   * @param open what its events leave open.
   * @param instead of the ports with which runs are written.
   */
  writer(
    run: Run,
    open: FoldedRun,
    instead: Partial<Pick<WriterPorts, 'outputs' | 'messages'>> = {},
  ): RunEventWriter {
    const { log, messages, outputs, clock } = this;
    const holder = { userId: run.userId, instanceId: this.instanceId };
    const ports = { log, messages, outputs, clock, holder, ...instead };
    return new RunEventWriter(ports, { threadId: run.threadId, runId: run.id }, open);
  }

  private async step(
    run: Run,
    startEventId: number,
    ending: Ending,
    fallback?: ClosingFallback,
  ): Promise<void> {
    const { status, errorCode, usage, waits } = ending;
    if (status === 'waiting') {
      const { openCalls, until: waitingUntil, counted: countedCalls } = waits;
      const facts = { startEventId, usage, openCalls, waitingUntil, countedCalls };
      if (await this.states.suspend(run, this.instanceId, facts)) {
        return this.interrupts.endUnawaited(run, openCalls);
      }
      const held = await this.leases.holds(run, this.instanceId);
      throw held ? new CancelledMeanwhile() : new RunLostError();
    }
    const at = this.clock.now();
    const facts = { at, startEventId, usage, ...(errorCode && { errorCode }) };
    if (!(await this.states.transition(run, this.instanceId, status, facts))) {
      throw new RunLostError();
    }
    // What it asked and did not come to wait for, nobody is to answer; also one that succeeded has asked
    // in vain where the database broke off a call whose question was stored already.
    const leavesQuestions = fallback === 'leave questions' || fallback === 'skip messages';
    if (!leavesQuestions) await this.interrupts.endUnawaited(run, []);
  }
}
