import { createParser } from 'eventsource-parser';

/** One frame of a stream: the event and the id under which it can be resumed. */
export interface StreamFrame {
  id: string | undefined;
  event: Record<string, unknown> & { type: string };
}

export interface Answer {
  status: number;
  headers: Headers;
  body: Record<string, unknown>;
}

let accounts = 0;

/** What a front-end team would write: plain fetch against the public surface. */
export class ApiClient {
  token = '';
  userId = '';
  email = '';

  /** @param judge what is wrong with a stream that was read to its end; that fails the reader. */
  constructor(
    readonly url: string,
    private readonly judge?: (events: StreamFrame['event'][]) => string[],
  ) {}

  /** Registers a new person and keeps the bearer token. */
  async register(
    profile: { timezone?: string; locale?: string; email?: string; displayName?: string } = {},
  ): Promise<this> {
    accounts += 1;
    this.email = profile.email ?? `person${accounts}.${process.pid}@example.com`;
    const answer = await this.post('/auth/register', {
      password: 'correct horse battery',
      timezone: 'Asia/Shanghai',
      locale: 'zh-CN',
      ...profile,
      email: this.email,
    });
    if (answer.status !== 201) throw new Error(`register: ${JSON.stringify(answer.body)}`);
    const { accessToken, user } = answer.body as { accessToken: string; user: { id: string } };
    this.token = accessToken;
    this.userId = user.id;
    return this;
  }

  async call(method: string, path: string, body?: unknown, headers = {}): Promise<Answer> {
    const response = await this.raw(path, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body === undefined
        ? {}
        : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const parsed = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
    return { status: response.status, headers: response.headers, body: parsed };
  }

  get(path: string, headers = {}): Promise<Answer> {
    return this.call('GET', path, undefined, headers);
  }
  post(path: string, body: unknown, headers = {}): Promise<Answer> {
    return this.call('POST', path, body, headers);
  }

  /** The response itself, for streams and odd bodies. */
  raw(path: string, init: RequestInit = {}): Promise<Response> {
    return fetch(`${this.url}/api/v1${path}`, {
      ...init,
      headers: {
        ...(this.token ? { authorization: `Bearer ${this.token}` } : {}),
        ...(init.headers as Record<string, string> | undefined),
      },
    });
  }

  /** Frames of a stream until it ends or `signal` aborts. */
  async *frames(path: string, init: RequestInit = {}): AsyncGenerator<StreamFrame> {
    const response = await this.raw(path, {
      ...init,
      headers: {
        accept: 'text/event-stream',
        ...(init.headers as Record<string, string> | undefined),
      },
    });
    if (response.status === 204) return;
    if (!response.ok || !response.body) {
      throw new Error(`${path}: ${response.status} ${await response.text()}`);
    }
    const pending: StreamFrame[] = [];
    const parser = createParser({
      onEvent: ({ id, data }) =>
        pending.push({ id, event: JSON.parse(data) as StreamFrame['event'] }),
    });
    const decoder = new TextDecoder();
    const events: StreamFrame['event'][] = [];
    for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
      parser.feed(decoder.decode(chunk, { stream: true }));
      events.push(...pending.map(({ event }) => event));
      yield* pending.splice(0);
    }
    const faults = this.judge?.(events) ?? [];
    if (faults.length > 0) throw new Error(`${path} is no AG-UI stream: ${faults.join('; ')}`);
  }

  /**
   * Sends a message and gathers the run's whole stream in the `app` encoding; where streams are judged,
   * the strict form of the same events is, too.
   */
  async say(
    message: string,
    threadId?: string,
  ): Promise<{ threadId: string; runId: string; frames: StreamFrame[] }> {
    const run = await this.post('/agent/runs', { message, ...(threadId ? { threadId } : {}) });
    if (run.status !== 202) throw new Error(`run: ${run.status} ${JSON.stringify(run.body)}`);
    const { threadId: thread, runId } = run.body as { threadId: string; runId: string };
    const frames: StreamFrame[] = [];
    const path = `/agent/runs/${thread}/events`;
    for await (const frame of this.frames(path)) frames.push(frame);
    if (this.judge) await this.readStrict(path, frames);
    return { threadId: thread, runId, frames };
  }

  private async readStrict(path: string, told: StreamFrame[]): Promise<void> {
    const after = Number(told[0]?.id) - 1;
    const types: string[] = [];
    const form = `after=${after}&encoding=agui&protocolVersion=1.0`;
    for await (const { event } of this.frames(`${path}?${form}`)) types.push(event.type);
    const expected = told.map(({ event }) => event.type);
    if (types.join() !== expected.join())
      throw new Error(`${types.join()} instead of ${expected.join()}`);
  }

  /** Exchanges the bearer token for a controlled credential. */
  async credential(
    scope: string[] = ['*'],
    extra = {},
  ): Promise<{ credential: string; jti: string }> {
    const answer = await this.post('/credentials', { scope, ...extra });
    if (answer.status !== 201) throw new Error(`credential: ${JSON.stringify(answer.body)}`);
    return answer.body as { credential: string; jti: string };
  }
}
