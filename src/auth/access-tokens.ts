import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { newId } from '../common/ids.js';
import { StewardError } from '../common/steward-error.js';
import { APP_CONFIG, type AppConfig } from '../config/app-config.js';
import { AccountCache } from './account-cache.js';
import { LiveSessions } from './live-sessions.js';
import type { Principal } from './principal.js';
import { TokenIssuer, type TokenKind } from './token-issuer.js';

/** Bearer token of the API: a JWT access token (RFC 9068). */
export const ACCESS_TOKEN: TokenKind = {
  typ: 'at+jwt',
  audience: 'steward-api',
  name: 'bearer token',
};

/** RFC 9068 wants `client_id`; the embedded issuer has one client, the product itself. */
const CLIENT_ID = 'steward';

/** Makes bearer tokens and turns them into the person behind them. */
@Injectable()
export class AccessTokens {
  constructor(
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    private readonly issuer: TokenIssuer,
    private readonly accounts: AccountCache,
    private readonly sessions: LiveSessions,
    private readonly clock: Clock,
  ) {}

  /** @returns the token and its life in seconds. */
  async issue(
    userId: string,
    sessionId: string,
  ): Promise<{ accessToken: string; expiresIn: number }> {
    const expiresIn = this.config.ACCESS_TOKEN_TTL_SECONDS;
    const accessToken = await this.issuer.sign(ACCESS_TOKEN, {
      subject: userId,
      jti: newId('key'),
      issuedAt: this.clock.now(),
      ttlSeconds: expiresIn,
      claims: { client_id: CLIENT_ID, sid: sessionId },
    });
    return { accessToken, expiresIn };
  }

  /**
   * The person behind a bearer token, as session and account stand now.
   * @throws StewardError CREDENTIAL_EXPIRED; CREDENTIAL_REVOKED when its session has ended;
   * CREDENTIAL_INVALID, also for an account that is disabled or gone; DEPENDENCY_UNAVAILABLE.
   */
  async verify(token: string): Promise<Principal> {
    const { issuer, subject, jti, expiresAt, claims } = await this.issuer.verify(
      ACCESS_TOKEN,
      token,
    );
    const { sid } = claims;
    if (typeof sid !== 'string') {
      throw new StewardError('CREDENTIAL_INVALID', 'The bearer token names no session.');
    }
    return this.principal(subject, sid, { issuer, jti, expiresAt });
  }

  /**
   * The person of a session, if both are active now.
   * @param token what stands for the bearer token that brought them here.
   * @throws StewardError as `verify`.
   */
  async principal(
    userId: string,
    sessionId: string,
    token: Principal['token'],
  ): Promise<Principal> {
    const account = await this.accounts.get(userId);
    if (!account || account.disabledAt) {
      throw new StewardError('CREDENTIAL_INVALID', 'The account of this token is not active.');
    }
    await this.sessions.assertLive(sessionId, account.id);
    return {
      userId: account.id,
      email: account.email,
      displayName: account.displayName,
      roles: [account.role],
      timezone: account.timezone,
      locale: account.locale,
      sessionId,
      token,
    };
  }
}
