import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';

/** What the tool door answered. */
export interface DoorAnswer {
  status: number;
  retryAfter: string | undefined;
  body: string;
}

/** What came of one request: an answer, or why there is none. */
export type DoorOutcome =
  | { end: 'answer'; answer: DoorAnswer }
  | { end: 'lost'; why: string }
  | { end: 'timeout' | 'output' | 'abort' };

export interface DoorRequest {
  body: Buffer;
  headers: Record<string, string>;
  timeoutMs: number;
  /** Bytes of an answer after which it is given up. */
  maxBytes: number;
}

/**
 * Requests to the tool door of another process over connections that stay open. Redirects are not
 * followed: the credential goes to the endpoint and nowhere else. Whoever gives a request up closes
 * its connection, by which the door learns that nobody waits any more.
 */
export class DoorClient {
  private readonly url: URL;
  private readonly agent: HttpAgent | HttpsAgent;

  /** @param endpoint base URL of an API replica, or of what stands before several. */
  constructor(endpoint: string) {
    this.url = new URL(`${endpoint.replace(/\/+$/, '')}/api/v1/tools/project_cli`);
    const options = { keepAlive: true, scheduling: 'lifo' as const };
    this.agent = this.url.protocol === 'https:' ? new HttpsAgent(options) : new HttpAgent(options);
  }

  /** Never rejects. */
  post(call: DoorRequest, signal: AbortSignal): Promise<DoorOutcome> {
    const request = this.url.protocol === 'https:' ? httpsRequest : httpRequest;
    return new Promise((resolve) => {
      const posted = request(this.url, {
        method: 'POST',
        agent: this.agent,
        headers: { ...call.headers, 'content-length': call.body.length },
      });
      const settle = (outcome: DoorOutcome): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
        if (outcome.end !== 'answer') posted.destroy();
        resolve(outcome);
      };
      const lost = (error?: NodeJS.ErrnoException): void =>
        settle({ end: 'lost', why: error?.code ?? 'connection lost' });
      const onAbort = (): void => settle({ end: 'abort' });
      const timer = setTimeout(() => settle({ end: 'timeout' }), call.timeoutMs);
      signal.addEventListener('abort', onAbort, { once: true });
      posted.on('error', lost);
      posted.on('response', (response) => collect(response, call.maxBytes, settle, lost));
      posted.end(call.body);
      if (signal.aborted) onAbort();
    });
  }

  close(): void {
    this.agent.destroy();
  }
}

function collect(
  response: IncomingMessage,
  maxBytes: number,
  settle: (outcome: DoorOutcome) => void,
  lost: (error?: NodeJS.ErrnoException) => void,
): void {
  const chunks: Buffer[] = [];
  let size = 0;
  response.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > maxBytes) settle({ end: 'output' });
    else chunks.push(chunk);
  });
  response.on('error', lost);
  response.on('end', () => {
    const { statusCode: status = 0, headers } = response;
    const body = Buffer.concat(chunks).toString('utf8');
    settle({ end: 'answer', answer: { status, retryAfter: headers['retry-after'], body } });
  });
}
