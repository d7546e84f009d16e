import { setTimeout as delay } from 'node:timers/promises';
import { isNativeError } from 'node:util/types';
import { ApiClient, type Answer } from '../support/api-client.js';
import type { Journal } from './journal.js';
import type { Random } from './random.js';

/** What a run may take from its acceptance to its end, whatever dies meanwhile, in milliseconds. */
export const PATIENCE_MS = 150_000;
export const RETRY_MS = 100;

/** Where the servers are, and who notes what they say. */
export interface Surroundings {
  /** Addresses of the servers, of which any may be down. */
  urls: readonly string[];
  journal: Journal;
}

/** What one person asks of the servers, as often as it takes to be answered, of another one each time. */
export class Requests {
  /** Runs that it has asked to end. */
  readonly cancelled = new Set<string>();

  constructor(
    private readonly name: string,
    private readonly token: string,
    private readonly around: Surroundings,
    private readonly random: Random,
  ) {}

  get journal(): Journal {
    return this.around.journal;
  }

  /** A client of one of the servers. */
  client(): ApiClient {
    const client = new ApiClient(this.random.pick(this.around.urls));
    client.token = this.token;
    return client;
  }

  /** Notes something that must not be. */
  complain(what: string): void {
    this.journal.complaints.push(`${this.name}: ${what}`);
  }

  /** Starts a run. @returns its id; null when it is refused. */
  async start(body: object, key: string): Promise<string | null> {
    const answer = await this.ask('/agent/runs', body, { 'idempotency-key': key });
    if (!answer) return null;
    if (answer.status === 202) return this.accepted(answer);
    const what = this.refused(answer);
    // Nothing that a person sends is malformed; an answer may come too late.
    if (answer.body.code !== 'CONFLICT') this.complain(what);
    return null;
  }

  /** Notes that a run was accepted. @returns its id. */
  accepted({ body: { runId, threadId } }: Answer): string {
    this.journal.accepted.push({ runId: String(runId), threadId: String(threadId) });
    return String(runId);
  }

  /** Notes that none was. @returns what was said instead. */
  refused({ status, body: { code, detail } }: Answer): string {
    const what = `run: ${status} ${String(code)} ${String(detail)}`;
    this.journal.refused(what);
    return what;
  }

  async cancel(runId: string): Promise<void> {
    this.journal.cancels += 1;
    this.cancelled.add(runId);
    const answer = await this.ask(`/agent/runs/${runId}/cancel`, {});
    if (answer && answer.status >= 400) {
      this.journal.refused(`cancel ${answer.status} ${String(answer.body.code)}`);
    }
  }

  /**
   * Asks one server after another until one answers for good.
   * @param waits whether a run that is active in the thread is waited for.
   */
  async ask(path: string, body: object, headers = {}, waits = true): Promise<Answer | null> {
    const deadline = Date.now() + PATIENCE_MS;
    let last = 'nothing';
    while (Date.now() < deadline) {
      try {
        const answer = await this.client().post(path, body, headers);
        last = `${answer.status} ${String(answer.body.code)}`;
        if (answer.body.code === 'INTERNAL') {
          this.journal.complaints.push(`${path}: an internal error`);
        }
        const passing = answer.status >= 500 || answer.status === 429;
        if (!passing && !(waits && answer.body.code === 'RUN_ACTIVE')) return answer;
        this.journal.refused(`${path.replace(/run[_-]\w+|thread-[^/]+/, '{id}')} ${last}`);
      } catch (error) {
        last = wordOf(error);
        this.journal.refused(`request: ${last}`);
      }
      await delay(RETRY_MS);
    }
    this.complain(`${path} was not answered: ${last}`);
    return null;
  }
}

/** Short and without ports, so that the same trouble has the same name. */
export function wordOf(error: unknown): string {
  // Errors of fetch are of another realm than those of a spec.
  if (!isNativeError(error)) return String(error);
  const { cause } = error;
  const code = isNativeError(cause) && 'code' in cause ? String(cause.code) : '';
  return code || error.message.replace(/\d{4,}|thread-\S+|run[_-]\w+/g, '…').slice(0, 80);
}
