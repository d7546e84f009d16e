import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Clock } from '../common/clock.js';
import { StewardError } from '../common/steward-error.js';
import { Notifications } from '../database/notifications.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { CredentialRepository, type RevokedCredentials } from './credential.repository.js';

const CHANNEL = 'credential_revoked';
const MAX_REMEMBERED = 50_000;

/**
 * How long the table is not asked again while notifications arrive. They tell of a revocation at
 * once; this bounds the harm of a connection that is dead and does not know it yet.
 */
const TRUST_MS = 60_000;

/**
 * Which credentials are revoked, from memory where memory can be trusted: a credential is looked up
 * in the table when it is first seen, and from then on revocations arrive by notification. While
 * notifications are not connected the table is asked every time.
 */
@Injectable()
export class Revocations implements OnModuleInit, OnModuleDestroy {
  /** Keys of credentials and runs (`credentialKey`, `runKey`) known to be revoked. */
  private readonly revoked = new LRUCache<string, true>({ max: MAX_REMEMBERED });
  /** `jti` → when it was last known not to be revoked, in ms. */
  private readonly active = new LRUCache<string, number>({ max: MAX_REMEMBERED });
  /** Grows when messages may have been missed; what was read before is not kept. */
  private generation = 0;
  private readonly subscriptions: (() => void)[] = [];

  constructor(
    private readonly credentials: CredentialRepository,
    private readonly notifications: Notifications,
    private readonly uow: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.subscriptions.push(
      this.notifications.subscribe(CHANNEL, (key) => this.hear(key)),
      this.notifications.onReconnect(() => {
        this.generation += 1;
        this.active.clear();
      }),
    );
  }

  onModuleDestroy(): void {
    for (const end of this.subscriptions) end();
  }

  /** Notes that a credential has just been issued, which spares its first look-up. */
  noteIssued(jti: string): void {
    this.active.set(jti, this.clock.now().getTime());
  }

  /**
   * Refuses a credential when the unit of work commits: here at once, elsewhere as it is heard. One that
   * rolls back has refused nothing.
   * @returns whether it was not revoked before.
   */
  async revoke(jti: string): Promise<boolean> {
    const wasActive = await this.credentials.revoke(jti, this.clock.now());
    if (wasActive) await this.notifications.publish(CHANNEL, credentialKey(jti));
    this.uow.afterCommit(() => this.revoked.set(credentialKey(jti), true));
    return wasActive;
  }

  /** The same for all credentials of a run. */
  async revokeRun(userId: string, runId: string): Promise<boolean> {
    const wasActive = await this.credentials.revokeRun(userId, runId, this.clock.now());
    if (wasActive) await this.notifications.publish(CHANNEL, runKey(userId, runId));
    this.uow.afterCommit(() => this.revoked.set(runKey(userId, runId), true));
    return wasActive;
  }

  /** The same for all credentials of a user. */
  async revokeUser(userId: string): Promise<RevokedCredentials> {
    const revoked = await this.credentials.revokeUser(userId, this.clock.now());
    await this.notifications.publish(CHANNEL, EVERYTHING);
    return revoked;
  }

  /**
   * @throws StewardError CREDENTIAL_REVOKED; CREDENTIAL_INVALID when it was never issued;
   * DEPENDENCY_UNAVAILABLE when it must be looked up and the database does not answer.
   */
  async assertActive(jti: string, userId: string, runId: string | null): Promise<void> {
    this.assertNotRevoked(jti, userId, runId);
    const now = this.clock.now().getTime();
    if (this.isTrusted(jti, now)) return;

    const { generation } = this;
    const row = await this.load(jti);
    if (!row)
      throw new StewardError('CREDENTIAL_INVALID', 'The controlled credential is not known.');
    if (row.revokedAt) this.revoked.set(credentialKey(jti), true);
    // Again: a revocation may have arrived while the table was being read.
    this.assertNotRevoked(jti, userId, runId);
    if (generation === this.generation) this.active.set(jti, now);
  }

  private hear(key: string): void {
    if (key !== EVERYTHING) {
      this.revoked.set(key, true);
      return;
    }
    this.generation += 1;
    this.active.clear();
  }

  private isTrusted(jti: string, now: number): boolean {
    const since = this.active.get(jti);
    return since !== undefined && this.notifications.connected && Math.abs(now - since) < TRUST_MS;
  }

  private assertNotRevoked(jti: string, userId: string, runId: string | null): void {
    const ofRun = runId !== null && this.revoked.has(runKey(userId, runId));
    if (ofRun || this.revoked.has(credentialKey(jti))) {
      throw new StewardError('CREDENTIAL_REVOKED', 'The controlled credential was revoked.');
    }
  }

  private async load(jti: string) {
    try {
      return await this.credentials.find(jti);
    } catch (cause) {
      const message = 'The controlled credential cannot be checked right now.';
      throw new StewardError('DEPENDENCY_UNAVAILABLE', message, {}, { cause });
    }
  }
}

/** Says that whatever is remembered must be looked up again: many were revoked at once. */
const EVERYTHING = 'everything';
const credentialKey = (jti: string) => `jti ${jti}`;
const runKey = (userId: string, runId: string) => `run ${userId} ${runId}`;
