import { Inject, Injectable } from '@nestjs/common';
import { AccountCache } from '../../../auth/account-cache.js';
import { StewardError } from '../../../common/steward-error.js';
import type { IssuedCredential } from '../../../credential/controlled-credential.js';
import { RunCredentials } from '../../../credential/run-credentials.js';
import { RunLostError } from '../../../events/run-lost-error.js';
import { MessageStore } from '../../../threads/message.store.js';
import type { AssistantToolCall } from '../../../threads/thread-message.js';
import type { ToolAgentOutput } from '../../../tool-output/tool-agent-output.js';
import {
  ToolRecordStore,
  UnreadableRecordError,
} from '../../../tool-router/records/tool-record.store.js';
import { foldRun } from '../../loop/run-fold.js';
import type { TurnCall } from '../../loop/turn-calls.js';
import type { RunCaller } from '../../run-briefing.js';
import type { AnsweredMessage } from '../../run-window.js';
import { text } from '../../texts.js';
import { handedOutCalls, rawOf, toTurnCalls } from '../open-call.js';
import { RunEvents, type StartOfRun } from '../run-events.js';
import { RunInterrupts } from '../waiting/run-interrupts.js';
import { RunLeaseRepository } from '../queue/run-lease.repository.js';
import { INSTANCE_ID } from '../queue/run-leases.js';
import type { Assignment } from './assignment.js';
import type { Run } from '../run.js';

/** Why a run cannot be gone on with by anybody, as it is told (PROTOCOL §5). */
export class RunBarredError extends StewardError {}

/**
 * Makes of a run's rows what its execution needs, for a process that has claimed it and did not create
 * it: the message, its person as the account is now, the calls that were left open with their answers,
 * and the credential.
 */
@Injectable()
export class RunAssignments {
  constructor(
    @Inject(INSTANCE_ID) private readonly instanceId: string,
    private readonly leases: RunLeaseRepository,
    private readonly events: RunEvents,
    private readonly messages: MessageStore,
    private readonly interrupts: RunInterrupts,
    private readonly accounts: AccountCache,
    private readonly credentials: RunCredentials,
    private readonly records: ToolRecordStore,
  ) {}

  /**
   * @param run which this process holds.
   * @throws RunBarredError TIMEOUT or CREDENTIAL_REVOKED when its credential has ended; RunLostError
   *   when another process holds the run; whatever the database throws.
   */
  async load(run: Run): Promise<Assignment> {
    const start = await this.events.startOf(run);
    const issued = await this.credentialOf(run);
    const inherited = await this.inheritedCalls(run);
    const shown = inherited.map((call) => call.shown);
    const begun =
      run.status === 'running' ? foldRun(await this.events.of(run, start.id), shown) : null;
    return {
      run,
      caller: await this.callerOf(run),
      answers: await this.messageOf(run, start),
      begun,
      open: begun ? await this.openCalls(run, begun.calls, inherited) : inherited,
      startEventId: start.id,
      credential: issued.credential,
      credentialExpiresAt: issued.expiresAt,
    };
  }

  /**
   * Looks whether the run can be gone on with, and signs nothing.
   * @throws RunBarredError when its credential has ended; whatever the database throws.
   */
  async assertUsable(run: Run): Promise<void> {
    const { userId, id: runId } = run;
    await this.orBarred(run, () => this.credentials.assertUsable({ userId, runId }));
  }

  private credentialOf(run: Run): Promise<IssuedCredential> {
    const { userId, id: runId } = run;
    return this.orBarred(run, () =>
      this.credentials.reissue({ userId, runId }, async () => {
        if (!(await this.leases.holds(run, this.instanceId))) throw new RunLostError();
      }),
    );
  }

  private async orBarred<T>({ locale, status }: Run, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof StewardError)) throw error;
      const options = { cause: error };
      if (error.code === 'CREDENTIAL_EXPIRED') {
        const key = status === 'queued' ? 'queueTimeout' : 'runTimeout';
        throw new RunBarredError('TIMEOUT', text(key, locale), {}, options);
      }
      if (error.code === 'CREDENTIAL_REVOKED' || error.code === 'CREDENTIAL_INVALID') {
        throw new RunBarredError('CREDENTIAL_REVOKED', text('signInEnded', locale), {}, options);
      }
      throw error;
    }
  }

  /** Roles and name are those of the account now, as for every call. */
  private async callerOf({ userId, locale }: Run): Promise<RunCaller> {
    const account = await this.accounts.get(userId);
    if (account) return { userId, roles: [account.role], displayName: account.displayName };
    throw new RunBarredError('CREDENTIAL_REVOKED', text('signInEnded', locale));
  }

  private async messageOf(run: Run, { event }: StartOfRun): Promise<AnsweredMessage> {
    const message = await this.messages.find(run.threadId, run.messageId);
    if (!message) throw new Error(`run ${run.id} answers a message that is not there`);
    // What is only answered with was not told; a message of before that was told is answered again.
    return { message, again: message.runId !== run.id && event.message !== undefined };
  }

  /** The calls that the run before it left open, with what became of what they asked. */
  private async inheritedCalls(run: Run): Promise<TurnCall[]> {
    const waited = await this.events.resumedBy(run);
    if (!waited) return [];
    const answers = await this.interrupts.outcomes(waited, 'went_on');
    const { userId, id } = run;
    const ids = handedOutCalls(waited.openCalls ?? []).map((call) => call.id);
    for (const [callId, recorded] of await this.records.findAll(userId, id, ids)) {
      answers.set(callId, { recorded });
    }
    return toTurnCalls(waited.openCalls ?? [], answers, run.answerIds);
  }

  /** What the dead process did not come to answer, with the records of what it came to execute. */
  private async openCalls(
    run: Run,
    open: AssistantToolCall[],
    inherited: TurnCall[],
  ): Promise<TurnCall[]> {
    const records = await this.recordsOf(run, open);
    const known = new Map(inherited.map((call) => [call.shown.id, call]));
    return open.map((shown) => {
      const refusal = run.refusedCalls?.[shown.id];
      const call = known.get(shown.id) ?? {
        shown,
        raw: rawOf(shown),
        ...(refusal && { refusal }),
      };
      const recorded = records.get(shown.id);
      return recorded ? { ...call, recorded } : call;
    });
  }

  private async recordsOf({ userId, id }: Run, open: AssistantToolCall[]) {
    try {
      return await this.records.findAll(
        userId,
        id,
        open.map((call) => call.id),
      );
    } catch (error) {
      // Whoever asks for such a call again is told that its result cannot be read.
      if (error instanceof UnreadableRecordError) return new Map<string, ToolAgentOutput>();
      throw error;
    }
  }
}
