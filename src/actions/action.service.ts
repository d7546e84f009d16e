import { Injectable, Logger } from '@nestjs/common';
import type { Principal } from '../auth/principal.js';
import { CredentialService } from '../credential/credential.service.js';
import type { ToolResultFacts } from '../events/run-event.js';
import { toResultFacts } from '../tool-output/result-facts.js';
import { ToolGateway } from '../tool-router/tool-gateway.js';
import type { ActionDto } from './action.dto.js';

/** Executes a card's button like any other call: same router, same guard, same record. */
@Injectable()
export class ActionService {
  private readonly logger = new Logger(ActionService.name);

  constructor(
    private readonly credentials: CredentialService,
    private readonly gateway: ToolGateway,
  ) {}

  /**
   * One call under a credential of its own, which ends with it.
   * @returns the outcome with its card; a refusal is a failure in it, not a throw.
   */
  async press(
    principal: Principal,
    action: ActionDto,
    signal: AbortSignal,
  ): Promise<ToolResultFacts> {
    const { credential, jti } = await this.credentials.exchange(principal, {
      scope: ['*'],
      actor: 'action',
    });
    try {
      const record = await this.gateway.invoke(
        {
          credential,
          call: { module: action.module, method: action.method, input: action.input ?? {} },
          locale: principal.locale,
          timezone: principal.timezone,
          door: 'action',
        },
        signal,
      );
      return toResultFacts(record);
    } finally {
      await this.revoke(jti);
    }
  }

  /** What the call did stands whether this succeeds or not: the credential ends by itself, too. */
  private async revoke(jti: string): Promise<void> {
    try {
      await this.credentials.revoke(jti);
    } catch (error) {
      this.logger.warn(`The credential ${jti} of an action was not revoked: ${String(error)}`);
    }
  }
}
