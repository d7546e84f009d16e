import type { TokenSource } from './http.js';
import { problemOf } from './problem.js';

/** The signed-in person. */
export interface User {
  id: string;
  email: string;
  displayName: string;
  timezone: string;
  locale: 'zh-CN' | 'en';
  role: string;
}

interface SessionAnswer {
  user: User;
  accessToken: string;
  refreshToken: string;
}

/** What `Session.restore` needs to go on after a reload of the page. */
export interface SavedSession {
  user: User;
  refreshToken: string;
}

/**
 * A session with the embedded issuer. It renews its token when the server asks for it; several
 * requests that are refused at once share one renewal.
 */
export class Session implements TokenSource {
  private renewing: Promise<boolean> | null = null;

  private constructor(
    private readonly origin: string,
    private answer: SessionAnswer,
    /** Told of every new refresh token, each of which is good once. */
    private readonly onChange?: (saved: SavedSession) => void,
  ) {
    this.announce();
  }

  /** @throws StewardProblem CREDENTIAL_INVALID, RATE_LIMITED. */
  static async signIn(
    origin: string,
    person: { email: string; password: string },
    onChange?: (saved: SavedSession) => void,
  ): Promise<Session> {
    return new Session(origin, await ask(origin, '/auth/token', person), onChange);
  }

  /** @throws StewardProblem CONFLICT for an address that has an account, INVALID_ACTION_INPUT. */
  static async register(
    origin: string,
    person: {
      email: string;
      password: string;
      displayName?: string;
      timezone?: string;
      locale?: 'zh-CN' | 'en';
    },
    onChange?: (saved: SavedSession) => void,
  ): Promise<Session> {
    return new Session(origin, await ask(origin, '/auth/register', person), onChange);
  }

  /** Goes on with what was saved. @throws StewardProblem when it is not accepted any more. */
  static async restore(
    origin: string,
    saved: SavedSession,
    onChange?: (saved: SavedSession) => void,
  ): Promise<Session> {
    const { refreshToken } = saved;
    return new Session(origin, await ask(origin, '/auth/refresh', { refreshToken }), onChange);
  }

  /** Who is signed in. */
  get user(): User {
    return this.answer.user;
  }

  /** The bearer token of now; `renew` may replace it. */
  token(): string {
    return this.answer.accessToken;
  }

  /** Gets a new token, once for all who ask together. @returns whether there is one. */
  renew(): Promise<boolean> {
    this.renewing ??= this.refresh().finally(() => (this.renewing = null));
    return this.renewing;
  }

  private async refresh(): Promise<boolean> {
    try {
      const { refreshToken } = this.answer;
      this.answer = await ask(this.origin, '/auth/refresh', { refreshToken });
    } catch {
      // The request that asked for it reports its own 401.
      return false;
    }
    this.announce();
    return true;
  }

  private announce(): void {
    const { user, refreshToken } = this.answer;
    this.onChange?.({ user, refreshToken });
  }
}

async function ask(origin: string, path: string, body: object): Promise<SessionAnswer> {
  const response = await fetch(`${origin}/api/v1${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw await problemOf(response);
  return (await response.json()) as SessionAnswer;
}
