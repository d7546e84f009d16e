import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { newId } from '../common/ids.js';
import { StewardError } from '../common/steward-error.js';
import { APP_CONFIG, type AppConfig } from '../config/app-config.js';
import { AccountCache } from './account-cache.js';
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
    private readonly clock: Clock,
  ) {}

  /** @returns the token and its life in seconds. */
  async issue(userId: string): Promise<{ accessToken: string; expiresIn: number }> {
    const expiresIn = this.config.ACCESS_TOKEN_TTL_SECONDS;
    const accessToken = await this.issuer.sign(ACCESS_TOKEN, {
      subject: userId,
      jti: newId('key'),
      issuedAt: this.clock.now(),
      ttlSeconds: expiresIn,
      claims: { client_id: CLIENT_ID },
    });
    return { accessToken, expiresIn };
  }

  /**
   * The person behind a bearer token, as the account stands now (at most 5 s old).
   * @throws StewardError CREDENTIAL_EXPIRED; CREDENTIAL_INVALID, also for an account that is
   * disabled or gone; DEPENDENCY_UNAVAILABLE.
   */
  async verify(token: string): Promise<Principal> {
    const { issuer, subject, jti, expiresAt } = await this.issuer.verify(ACCESS_TOKEN, token);
    const account = await this.accounts.get(subject);
    if (!account || account.disabledAt) {
      throw new StewardError('CREDENTIAL_INVALID', 'The account of this token is not active.');
    }
    return {
      userId: account.id,
      email: account.email,
      displayName: account.displayName,
      roles: [account.role],
      timezone: account.timezone,
      locale: account.locale,
      token: { issuer, jti, expiresAt },
    };
  }
}
