import { Injectable } from '@nestjs/common';
import { StewardError } from '../common/steward-error.js';
import { AccessTokens } from './access-tokens.js';
import type { Principal } from './principal.js';
import { RefreshTokens } from './refresh-tokens.js';
import { Sessions } from './sessions.js';
import type { NewAccount, UserAccount } from './user-account.js';
import { UserService } from './user.service.js';

/** What a client holds after signing in. */
export interface Session {
  user: UserAccount;
  accessToken: string;
  refreshToken: string;
  /** Life of the access token in seconds. */
  expiresIn: number;
}

/** Signing up, in, on and out: an account and its tokens (PROTOCOL §11). */
@Injectable()
export class SessionService {
  constructor(
    private readonly users: UserService,
    private readonly accessTokens: AccessTokens,
    private readonly refreshTokens: RefreshTokens,
    private readonly sessions: Sessions,
  ) {}

  /** @throws StewardError as UserService.register. */
  async register(input: NewAccount): Promise<Session> {
    return this.begin(await this.users.register(input));
  }

  /** @throws StewardError as UserService.authenticate. */
  async signIn(email: string, password: string): Promise<Session> {
    return this.begin(await this.users.authenticate(email, password));
  }

  /** @throws StewardError CREDENTIAL_EXPIRED, CREDENTIAL_INVALID (also for a disabled account). */
  async refresh(token: string): Promise<Session> {
    const { userId, sessionId, refreshToken } = await this.refreshTokens.rotate(token);
    const user = await this.users.findById(userId);
    if (!user || user.disabledAt) {
      throw new StewardError('CREDENTIAL_INVALID', 'The account of this token is not active.');
    }
    return { user, refreshToken, ...(await this.accessTokens.issue(user.id, sessionId)) };
  }

  /**
   * Ends the session of a bearer token, or all of its user's, with every token and credential that was
   * given out under it; runs that were started under it are cancelled. Idempotent.
   */
  async signOut({ userId, sessionId }: Principal, everywhere: boolean): Promise<void> {
    if (everywhere) await this.sessions.endAll(userId, 'signed_out');
    else if (sessionId !== null) await this.sessions.end(sessionId, 'signed_out');
  }

  private async begin(user: UserAccount): Promise<Session> {
    const { sessionId, refreshToken } = await this.refreshTokens.begin(user.id);
    return { user, refreshToken, ...(await this.accessTokens.issue(user.id, sessionId)) };
  }
}
