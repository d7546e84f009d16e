import { Injectable } from '@nestjs/common';
import type { Permits } from '../../interrupts/asked-call.js';
import { CallPermits } from '../../interrupts/call-permits.js';
import { StewardError } from '../../common/steward-error.js';
import { CredentialService } from '../../credential/credential.service.js';
import type { ToolAgentOutput } from '../../tool-output/tool-agent-output.js';
import { CallSuspended } from './call-suspended.js';

/** One for nothing granted, an approval, an answer, and one that found its permit used up. */
const MAX_ATTEMPTS = 4;

/**
 * Gets calls what they need from persons. A call is attempted without anything first, because most
 * need nothing, and so cost nothing; one that is suspended is attempted again, from the beginning,
 * with what a person has granted to it.
 */
@Injectable()
export class Consent {
  constructor(
    private readonly permits: CallPermits,
    private readonly credentials: CredentialService,
  ) {}

  /**
   * @param attempt one execution; throws CallSuspended when it cannot go on.
   * @throws StewardError APPROVAL_REQUIRED, APPROVAL_DENIED, APPROVAL_EXPIRED and others of
   * `CallPermits.find`; CREDENTIAL_REVOKED when the call's session, such as its run, has ended before
   * the person could be asked.
   */
  async settle(attempt: (permits: Permits) => Promise<ToolAgentOutput>): Promise<ToolAgentOutput> {
    let permits: Permits = {};
    for (let count = 1; count <= MAX_ATTEMPTS; count += 1) {
      try {
        return await attempt(permits);
      } catch (error) {
        if (!(error instanceof CallSuspended)) throw error;
        if (error.ask.kind === 'question' && permits.answer) {
          throw new StewardError('INTERNAL', 'A method may ask one question in a call.');
        }
        const { call, ask } = error;
        const confirm = () => this.credentials.hold(call.credentialJti);
        permits = { ...permits, ...(await this.permits.find(call, ask, confirm)) };
      }
    }
    throw new StewardError('CONFLICT', 'The same call is under way more than once.');
  }
}
