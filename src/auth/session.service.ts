import { Injectable } from '@nestjs/common';
import { StewardError } from '../common/steward-error.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { AccessTokens } from './access-tokens.js';
import type { Principal } from './principal.js';
import { RefreshTokens } from './refresh-tokens.js';
import { Registration } from './registration.js';
import { Sessions } from './sessions.js';
import { SignInAudit } from './sign-in-audit.js';
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
    private readonly registration: Registration,
    private readonly users: UserService,
    private readonly accessTokens: AccessTokens,
    private readonly refreshTokens: RefreshTokens,
    private readonly sessions: Sessions,
    private readonly audit: SignInAudit,
    private readonly uow: UnitOfWork,
  ) {}

  /** @param address of the client. @throws StewardError as Registration.register. */
  async register(input: NewAccount, address?: string): Promise<Session> {
    return this.begin(await this.registration.register(input), address);
  }

  /** @param address of the client. @throws StewardError as UserService.authenticate. */
  async signIn(email: string, password: string, address?: string): Promise<Session> {
    return this.begin(await this.authenticate(email, password, address), address);
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

  private async authenticate(
    email: string,
    password: string,
    address: string | undefined,
  ): Promise<UserAccount> {
    try {
      return await this.users.authenticate(email, password);
    } catch (error) {
      // The same work whether or not there is such an account: time must not tell.
      const meant = await this.users.findByEmail(email);
      await this.audit.failed(meant?.id ?? null, address);
      throw error;
    }
  }

  private async begin(user: UserAccount, address: string | undefined): Promise<Session> {
    const { sessionId, refreshToken } = await this.uow.run(async () => {
      const begun = await this.refreshTokens.begin(user.id);
      await this.audit.signedIn(user.id, begun.sessionId, address);
      return begun;
    });
    return { user, refreshToken, ...(await this.accessTokens.issue(user.id, sessionId)) };
  }
}
