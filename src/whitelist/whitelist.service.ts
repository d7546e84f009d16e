import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { StewardError } from '../common/steward-error.js';
import { StateWatch } from '../database/state-watch.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import type { VersionedState } from '../database/versioned-state.js';
import {
  compileWhitelist,
  denyAll,
  denyUnknown,
  type Decide,
  type WhitelistDecision,
  type WhitelistSubject,
} from './decision.js';
import { DEFAULT_WHITELIST } from './default-policy.js';
import { countChanges } from './policy-changes.js';
import { readWhitelist, type WhitelistDocument } from './policy.js';
import { WhitelistRepository } from './whitelist.repository.js';

/** The policy in force. */
export interface WhitelistState {
  version: number;
  document: WhitelistDocument;
}

/** A policy with its decision, compiled once per version. */
interface Compiled extends WhitelistState {
  decide: Decide;
}

/**
 * The runtime whitelist (PROTOCOL §14). Decisions come from memory; StateWatch keeps it the newest,
 * and while none can be trusted everything is denied.
 */
@Injectable()
export class WhitelistService implements OnModuleInit {
  private readonly state: VersionedState<Compiled>;

  constructor(
    private readonly repository: WhitelistRepository,
    private readonly watch: StateWatch,
    private readonly uow: UnitOfWork,
    private readonly clock: Clock,
  ) {
    this.state = watch.stateOf({
      name: 'whitelist',
      newest: '(SELECT coalesce(max(version), 0) FROM whitelist_versions)',
      read: () => this.read(),
    });
  }

  async onModuleInit(): Promise<void> {
    await this.watch.keep(this.state);
  }

  /** Whether the subject may execute the capability, and by which rule. */
  decide(subject: WhitelistSubject, capabilityId: string): WhitelistDecision {
    const { trusted, unknown } = this.state;
    const decide = trusted?.decide ?? (unknown ? denyUnknown : denyAll);
    return decide(subject, capabilityId);
  }

  /** Whether the policy in force has the profile; true while none is known, when all is denied. */
  hasProfile(name: string): boolean {
    const { latest } = this.state;
    return !latest || Object.hasOwn(latest.document.profiles, name);
  }

  /**
   * The version in force, from the database.
   * @throws StewardError DEPENDENCY_UNAVAILABLE when it cannot be read.
   */
  async current(): Promise<WhitelistState> {
    await this.state.refresh();
    const { latest } = this.state;
    if (latest) return { version: latest.version, document: latest.document };
    throw new StewardError('DEPENDENCY_UNAVAILABLE', 'The whitelist cannot be read at the moment.');
  }

  /**
   * Puts a new version in force when the unit of work commits, at once outside of one.
   * @param previous version that the admin saw; another one in force is a conflict.
   * @param restoredFrom version whose document it is.
   * @throws StewardError INVALID_ACTION_INPUT with issues, CONFLICT.
   */
  async replace(
    value: unknown,
    previous: number,
    adminId: string,
    restoredFrom: number | null = null,
  ): Promise<WhitelistState> {
    const document = requireWhitelist(value);
    const version = previous + 1;
    await this.uow.run(async () => {
      const before = await this.repository.find(previous);
      const added = await this.repository.append({
        version,
        document,
        createdBy: adminId,
        createdAt: this.clock.now(),
        restoredFrom,
        ...countChanges(before?.document, document),
      });
      if (!added) {
        const message = `Version ${previous} of the whitelist is not the one in force; read it again.`;
        throw new StewardError('CONFLICT', message);
      }
      await this.watch.changed(this.state, version, compiled(version, document));
    });
    return { version, document };
  }

  /** Makes the first version when there is none. */
  private async read(): Promise<{ version: number; value: Compiled | null }> {
    const stored = (await this.repository.latest()) ?? (await this.install());
    const { version } = stored;
    const read = readWhitelist(stored.document);
    return { version, value: 'issues' in read ? null : compiled(version, read.document) };
  }

  private async install(): Promise<{ version: number; document: unknown }> {
    await this.repository.append({
      version: 1,
      document: DEFAULT_WHITELIST,
      createdBy: null,
      createdAt: this.clock.now(),
      restoredFrom: null,
      ...countChanges(undefined, DEFAULT_WHITELIST),
    });
    const stored = await this.repository.latest();
    if (!stored) throw new Error('no version after the first was stored');
    return stored;
  }
}

function compiled(version: number, document: WhitelistDocument): Compiled {
  return { version, document, decide: compileWhitelist(document) };
}

/** @throws StewardError INVALID_ACTION_INPUT with issues. */
export function requireWhitelist(value: unknown): WhitelistDocument {
  const read = readWhitelist(value);
  if ('document' in read) return read.document;
  const [first] = read.issues;
  const fault = first ? `: ${first.path || 'the whole'}: ${first.message}` : '.';
  throw new StewardError('INVALID_ACTION_INPUT', `The whitelist is not valid${fault}`, {
    issues: read.issues.slice(0, 20),
  });
}
