import { Inject, Injectable } from '@nestjs/common';
import { AuditTrail } from '../audit/audit-trail.js';
import { Clock } from '../common/clock.js';
import { newId } from '../common/ids.js';
import { APP_CONFIG, type AppConfig } from '../config/app-config.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { LiveSessions } from './live-sessions.js';
import { RefreshTokenRepository } from './refresh-token.repository.js';
import type { EndedSessions, SessionEnd } from './session-end.js';
import { SessionEndings } from './session-endings.js';
import { SessionRepository } from './session.repository.js';

/** How long a session that is over is kept for whoever looks into what happened. */
const KEPT_AFTER_EXPIRY_MS = 7 * 24 * 60 * 60 * 1000;

/** Sessions: what begins with a sign-in, goes on with each refresh, and can be ended. */
@Injectable()
export class Sessions {
  constructor(
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    private readonly sessions: SessionRepository,
    private readonly refreshTokens: RefreshTokenRepository,
    private readonly live: LiveSessions,
    private readonly endings: SessionEndings,
    private readonly audit: AuditTrail,
    private readonly uow: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** For a unit of work. @returns the id of the new session, `ses_…`. */
  async begin(userId: string): Promise<string> {
    const id = newId('ses');
    const startedAt = this.clock.now();
    await this.sessions.deleteExpired(userId, new Date(startedAt.getTime() - KEPT_AFTER_EXPIRY_MS));
    await this.sessions.insert({
      id,
      userId,
      startedAt,
      expiresAt: this.expiry(startedAt),
      endedAt: null,
      endReason: null,
    });
    this.uow.afterCommit(() => this.live.noteBegun(id));
    return id;
  }

  /** Locks the session until the unit of work ends. @returns false when it is over. */
  lockLive(id: string): Promise<boolean> {
    return this.sessions.lockLive(id);
  }

  /** Notes that the session was refreshed. */
  async extend(id: string): Promise<void> {
    await this.sessions.extend(id, this.expiry(this.clock.now()));
  }

  /**
   * Ends a session with everything that was given out under it: here at once, on every replica when
   * this commits. Idempotent.
   */
  async end(id: string, reason: SessionEnd): Promise<void> {
    await this.uow.run(async () => {
      const userId = await this.sessions.end(id, reason, this.clock.now());
      if (userId !== null) await this.tell({ userId, sessionIds: [id], reason }, false);
    });
  }

  /** The same for all sessions of a user. */
  async endAll(userId: string, reason: SessionEnd): Promise<void> {
    await this.uow.run(async () => {
      const sessionIds = await this.sessions.endAll(userId, reason, this.clock.now());
      await this.tell({ userId, sessionIds, reason }, true);
    });
  }

  private async tell(ended: EndedSessions, everywhere: boolean): Promise<void> {
    await this.refreshTokens.revokeFamilies(ended.sessionIds, this.clock.now());
    await this.endings.announce(ended);
    await this.record(ended, everywhere);
    await this.live.publishEnd(ended);
    this.uow.afterCommit(() => this.live.forget(ended.sessionIds));
  }

  /** A sign-out; the end of an account's access is recorded by who ends that. */
  private async record(ended: EndedSessions, everywhere: boolean): Promise<void> {
    const { userId, sessionIds, reason } = ended;
    if (reason === 'account_disabled') return;
    await this.audit.record({
      kind: 'sign_out',
      actor: reason === 'signed_out' ? userId : 'system',
      subject: everywhere ? userId : (sessionIds[0] ?? null),
      outcome: 'success',
      details: { reason, sessions: sessionIds.length },
    });
  }

  private expiry(from: Date): Date {
    return new Date(from.getTime() + this.config.REFRESH_TOKEN_TTL_SECONDS * 1000);
  }
}
