import { Inject, Injectable } from '@nestjs/common';
import { AccountCache } from '../../auth/account-cache.js';
import { StewardError } from '../../common/steward-error.js';
import { CredentialService, type IssuedCredential } from '../../credential/credential.service.js';
import { MessageStore } from '../../threads/message.store.js';
import type { RunCaller } from '../run-briefing.js';
import type { AnsweredMessage } from '../run-window.js';
import { text } from '../texts.js';
import { toTurnCalls } from './open-call.js';
import { RunEvents, type StartOfRun } from './run-events.js';
import { RunInterrupts } from './run-interrupts.js';
import { INSTANCE_ID, RunLostError } from './run-leases.js';
import type { Assignment } from './run-runner.js';
import { RunRepository } from './run.repository.js';
import type { Run } from './run.js';

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
    private readonly runs: RunRepository,
    private readonly events: RunEvents,
    private readonly messages: MessageStore,
    private readonly interrupts: RunInterrupts,
    private readonly accounts: AccountCache,
    private readonly credentials: CredentialService,
  ) {}

  /**
   * @param run which this process holds.
   * @throws RunBarredError TIMEOUT or CREDENTIAL_REVOKED when its credential has ended; RunLostError
   *   when another process holds the run; whatever the database throws.
   */
  async load(run: Run): Promise<Assignment> {
    const start = await this.events.startOf(run);
    const issued = await this.credentialOf(run);
    return {
      run,
      caller: await this.callerOf(run),
      answers: await this.messageOf(run, start),
      open: await this.openCallsOf(run),
      startEventId: start.id,
      credential: issued.credential,
      credentialExpiresAt: issued.expiresAt,
    };
  }

  private async credentialOf(run: Run): Promise<IssuedCredential> {
    const { userId, id: runId, locale, status } = run;
    try {
      return await this.credentials.reissue({ userId, runId }, async () => {
        if (!(await this.runs.holds(run, this.instanceId))) throw new RunLostError();
      });
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

  private async openCallsOf(run: Run) {
    const waited = await this.events.resumedBy(run);
    if (!waited) return [];
    return toTurnCalls(waited.openCalls ?? [], await this.interrupts.outcomes(waited, 'went_on'));
  }
}
