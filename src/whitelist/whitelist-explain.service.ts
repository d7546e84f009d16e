import { Injectable } from '@nestjs/common';
import { UserService } from '../auth/user.service.js';
import { CLIENT_MODULE, readCapabilityId } from '../common/capability-id.js';
import { StewardError } from '../common/steward-error.js';
import { CapabilityAccess } from '../tool-router/capability-access.js';
import { CapabilityRegistry } from '../tool-router/capability-registry.js';
import type { CallDecision } from '../tool-router/call-decision.js';
import type { Caller } from '../tool-router/caller.js';
import type { ClientTool } from '../tool-router/client-tools/client-tool.js';
import { compileWhitelist } from './decision.js';
import { requireWhitelist, WhitelistService } from './whitelist.service.js';

/** Whom and what an admin asks about. */
export interface ExplainQuestion {
  userId: string;
  /** Absent: `chat`. */
  profile?: string | undefined;
  module?: string | undefined;
  /** Absent: every method. */
  method?: string | undefined;
  /** Absent: the user's own. */
  roles?: string[] | undefined;
  /** Absent: everything. */
  scope?: string[] | undefined;
  /** A policy that is not in force, to see what it would do. */
  document?: unknown;
}

export interface Explanation {
  caller: Caller;
  /** Whether the account is shut out: then no call gets as far as a decision. */
  disabled: boolean;
  decisions: { id: string; decision: CallDecision }[];
}

/** Who may call what, and by which rule: the guard's own decisions (PROTOCOL §14). */
@Injectable()
export class WhitelistExplain {
  constructor(
    private readonly access: CapabilityAccess,
    private readonly registry: CapabilityRegistry,
    private readonly whitelist: WhitelistService,
    private readonly users: UserService,
  ) {}

  /** @throws StewardError NOT_FOUND for an unknown user, INVALID_ACTION_INPUT for a bad document. */
  async explain(question: ExplainQuestion): Promise<Explanation> {
    const { userId, profile = 'chat', scope = ['*'], module, method, document } = question;
    if (method !== undefined && module === undefined) {
      throw new StewardError('INVALID_ACTION_INPUT', 'A method needs its module.', {
        issues: [{ path: 'module', message: 'is missing', expected: 'module of the method' }],
      });
    }
    const account = await this.users.findById(userId);
    if (!account) throw new StewardError('NOT_FOUND', 'There is no such user.');
    const policy =
      document === undefined
        ? this.whitelist.decide.bind(this.whitelist)
        : compileWhitelist(requireWhitelist(withoutVersion(document)));
    const caller = { userId, profile, roles: question.roles ?? [account.role], scope };
    return {
      caller,
      disabled: account.disabledAt !== null,
      decisions: this.ids(module, method).map((id) => ({
        id,
        decision: this.access.decide({ ...caller, clientTools: assumed(id) }, id, policy),
      })),
    };
  }

  private ids(module: string | undefined, method: string | undefined): string[] {
    if (module !== undefined && method !== undefined) return [`${module}.${method}`];
    return this.registry
      .list()
      .filter(({ descriptor }) => module === undefined || descriptor.module === module)
      .map(({ descriptor }) => descriptor.id);
  }
}

/** Only runs have tools of their client: for whoever asks about one, a run has it. */
function assumed(id: string): ClientTool[] | null {
  const named = readCapabilityId(id);
  if (named?.module !== CLIENT_MODULE) return null;
  return [{ name: named.method, description: '', parameters: { type: 'object' } }];
}

/** A document as GET shows it names its version; of a proposal that says nothing. */
function withoutVersion(document: unknown): unknown {
  if (typeof document !== 'object' || document === null || Array.isArray(document)) return document;
  return Object.fromEntries(Object.entries(document).filter(([key]) => key !== 'version'));
}
