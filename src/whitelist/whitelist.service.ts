import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { StewardError } from '../common/steward-error.js';
import { Notifications } from '../database/notifications.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import {
  compileWhitelist,
  denyAll,
  type Decide,
  type WhitelistDecision,
  type WhitelistSubject,
} from './decision.js';
import { DEFAULT_WHITELIST } from './default-policy.js';
import { readWhitelist, type WhitelistDocument } from './policy.js';
import { WhitelistRepository } from './whitelist.repository.js';

const CHANNEL = 'whitelist';
/** How often the database is asked for a newer version, so that a lost notification costs less than a second. */
const POLL_MS = 500;
/** A look that takes longer may hang on a dead connection; the next one takes another. */
const SLOW_MS = 2_000;
const MAX_LOOKS = 3;
/** After so long without an answer of the database nobody knows which policy is in force. */
const TRUST_MS = 5_000;

/** The policy in force. */
export interface WhitelistState {
  version: number;
  document: WhitelistDocument;
}

/**
 * The runtime whitelist (PROTOCOL §14). Decisions come from memory, compiled once per version. A
 * change is in force for the next call here at once and on other replicas as soon as they hear of
 * it; should they miss it, they see it within a second, as the newest version's number is read twice
 * a second. Until a policy could be read, when the stored one is not valid, and when the database
 * has not answered for five seconds, everything is denied.
 */
@Injectable()
export class WhitelistService implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(WhitelistService.name);
  private state: WhitelistState | null = null;
  private decider: Decide = denyAll;
  /** The newest version that was read, valid or not. */
  private seen = 0;
  /** When the newest version was last known, on the process's own clock in ms. */
  private knownAt = Number.NEGATIVE_INFINITY;
  private looks = 0;
  private lookedAt = Number.NEGATIVE_INFINITY;
  /** What kept the last read from succeeding; said once, not with every poll. */
  private fault: string | null = null;
  private readonly ends: (() => void)[] = [];
  private poll: NodeJS.Timeout | undefined;

  constructor(
    private readonly repository: WhitelistRepository,
    private readonly notifications: Notifications,
    private readonly uow: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async onModuleInit(): Promise<void> {
    const refresh = (): void => void this.refresh();
    this.ends.push(
      this.notifications.subscribe(CHANNEL, refresh),
      this.notifications.onReconnect(refresh),
    );
    await this.refresh();
    this.poll = setInterval(() => void this.look(), POLL_MS);
    this.poll.unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.poll);
    for (const end of this.ends) end();
  }

  /** Whether the subject may execute the capability, and by which rule. */
  decide(subject: WhitelistSubject, capabilityId: string): WhitelistDecision {
    const isKnown = performance.now() - this.knownAt < TRUST_MS;
    return (isKnown ? this.decider : denyAll)(subject, capabilityId);
  }

  /** Whether the policy in force has the profile; true while none is known, when all is denied. */
  hasProfile(name: string): boolean {
    return !this.state || Object.hasOwn(this.state.document.profiles, name);
  }

  /**
   * The version in force, from the database.
   * @throws StewardError DEPENDENCY_UNAVAILABLE when it cannot be read.
   */
  async current(): Promise<WhitelistState> {
    await this.refresh();
    if (this.state) return this.state;
    throw new StewardError('DEPENDENCY_UNAVAILABLE', 'The whitelist cannot be read at the moment.');
  }

  /**
   * Puts a new version in force.
   * @param previous version that the admin saw; another one in force is a conflict.
   * @throws StewardError INVALID_ACTION_INPUT with issues, CONFLICT.
   */
  async replace(value: unknown, previous: number, adminId: string): Promise<WhitelistState> {
    const read = readWhitelist(value);
    if ('issues' in read) {
      const [first] = read.issues;
      const fault = first ? `: ${first.path || 'the whole'}: ${first.message}` : '.';
      throw new StewardError('INVALID_ACTION_INPUT', `The whitelist is not valid${fault}`, {
        issues: read.issues.slice(0, 20),
      });
    }
    const { document } = read;
    const version = previous + 1;
    await this.uow.run(async () => {
      const added = await this.repository.append(previous, document, adminId, this.clock.now());
      if (!added) {
        const message = 'The whitelist has been changed by somebody else; read it again.';
        throw new StewardError('CONFLICT', message);
      }
      await this.notifications.publish(CHANNEL, String(version));
    });
    const state = { version, document };
    this.apply(state);
    return state;
  }

  /** Asks for the newest version's number, and reads the policy when it is a newer one. */
  private async look(): Promise<void> {
    const now = performance.now();
    if (this.looks >= MAX_LOOKS || (this.looks > 0 && now - this.lookedAt < SLOW_MS)) return;
    this.looks += 1;
    this.lookedAt = now;
    try {
      if ((await this.repository.newest()) === this.seen) this.known(now);
      else await this.refresh();
    } catch (error) {
      this.complain(`The whitelist could not be read: ${String(error)}`);
    } finally {
      this.looks -= 1;
    }
  }

  /** Reads the policy in force; makes the first version when there is none. */
  private async refresh(): Promise<void> {
    const now = performance.now();
    try {
      const stored = (await this.repository.latest()) ?? (await this.install());
      this.known(now);
      if (stored.version <= this.seen) return;
      const read = readWhitelist(stored.document);
      if ('issues' in read) {
        this.complain(`Version ${stored.version} of the whitelist is not valid: all is denied.`);
        this.seen = stored.version;
        this.state = null;
        this.decider = denyAll;
        return;
      }
      this.apply({ version: stored.version, document: read.document });
    } catch (error) {
      this.complain(`The whitelist could not be read: ${String(error)}`);
    }
  }

  private known(at: number): void {
    this.knownAt = Math.max(this.knownAt, at);
    if (this.state) this.fault = null;
  }

  private complain(fault: string): void {
    if (fault !== this.fault) this.logger.error(fault);
    this.fault = fault;
  }

  private async install(): Promise<{ version: number; document: unknown }> {
    await this.repository.append(0, DEFAULT_WHITELIST, null, this.clock.now());
    const stored = await this.repository.latest();
    if (!stored) throw new Error('no version after the first was stored');
    return stored;
  }

  /** Answers of two reads may arrive in the wrong order: only a later version replaces one. */
  private apply(state: WhitelistState): void {
    if (state.version <= this.seen) return;
    this.seen = state.version;
    this.state = state;
    this.fault = null;
    this.decider = compileWhitelist(state.document);
  }
}
