import { problemOf } from './problem.js';

/** Gives the bearer token of the moment. */
export interface TokenSource {
  token(): string | Promise<string>;
  /** Called after a 401; resolves true when `token` now gives another one. */
  renew?(): Promise<boolean>;
}

/** Sends requests to one server as one person. */
export class Http {
  /** @param origin where the server is: `https://steward.example.com`; '' is the page's own. */
  constructor(
    private readonly origin: string,
    private readonly tokens: TokenSource,
  ) {}

  /**
   * The answer, whatever its body.
   * @throws StewardProblem for any status but a 2xx; a `TypeError` when no answer came.
   */
  async send(path: string, init: RequestInit = {}): Promise<Response> {
    let response = await this.once(path, init);
    if (response.status === 401 && (await this.tokens.renew?.())) {
      await response.body?.cancel();
      response = await this.once(path, init);
    }
    if (!response.ok) throw await problemOf(response);
    return response;
  }

  /** The answer's JSON; `body` is sent as JSON. @throws as `send`. */
  async json<T>(
    method: string,
    path: string,
    body?: unknown,
    init: RequestInit & { headers?: Record<string, string> } = {},
  ): Promise<T> {
    const response = await this.send(path, {
      ...init,
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...init.headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return (response.status === 204 ? undefined : await response.json()) as T;
  }

  private async once(path: string, init: RequestInit): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set('authorization', `Bearer ${await this.tokens.token()}`);
    return fetch(`${this.origin}/api/v1${path}`, { ...init, headers });
  }
}

/** A query string of the members that are set: `?limit=20`, or ''. */
export function queryOf(members: Record<string, string | number | undefined>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(members)) {
    if (value !== undefined) query.set(name, String(value));
  }
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}
