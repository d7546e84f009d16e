import { setTimeout as delay } from 'node:timers/promises';
import { isNativeError } from 'node:util/types';
import type { AppEvent } from '../../src/events/app-event.js';
import type { AguiInterrupt } from '../../src/interrupts/agui-interrupt.js';
import { ApiClient, type Answer } from '../support/api-client.js';
import type { View } from './evidence.js';
import type { Journal } from './journal.js';
import { messageMark } from './marks.js';
import type { Random } from './random.js';

/** What a run may take from its acceptance to its end, whatever dies meanwhile, in milliseconds. */
const PATIENCE_MS = 150_000;
const RETRY_MS = 100;

type Ending = Extract<AppEvent, { type: 'RUN_FINISHED' | 'RUN_ERROR' }>;

/** Where the servers are, and what is said to them. */
export interface Surroundings {
  /** Addresses of the servers, of which any may be down. */
  urls: readonly string[];
  journal: Journal;
  /** The text of a message of which all effects carry the mark. */
  sentence: (mark: string) => string;
}

/**
 * A client that talks, loses its connection, comes back to another server, cancels, and answers what
 * it is asked, all by chance; it repeats what was not answered, as the API allows.
 */
export class Person {
  private readonly name: string;
  private said = 0;
  /** What it has of its own threads, to go on with. */
  private readonly threads: View[] = [];

  constructor(
    private readonly number: number,
    readonly account: ApiClient,
    private readonly around: Surroundings,
    private readonly random: Random,
  ) {
    this.name = `p${number}`;
  }

  /** Threads in which it has a run. */
  get threadIds(): string[] {
    return this.threads.map(({ threadId }) => threadId);
  }

  /** Talks until `over` says so; what has begun is brought to its end. */
  async live(over: () => boolean): Promise<void> {
    while (!over()) {
      await this.converse();
      await delay(this.random.between(0, 200));
    }
  }

  private async converse(): Promise<void> {
    this.said += 1;
    const mark = messageMark(this.number, this.said);
    const view = this.threadToTalkIn(mark);
    const { threadId } = view;
    const key = `${mark}-said`;
    const body = { threadId, message: this.around.sentence(mark) };
    let runId = await this.run(body, key);
    for (let answers = 1; runId !== null; answers += 1) {
      const watching = this.random.chance(0.2) ? this.watch(threadId, runId) : null;
      const ending = await this.follow(view, runId);
      await watching;
      runId = ending ? await this.react(threadId, ending, `${mark}-${answers}`) : null;
    }
  }

  private threadToTalkIn(mark: string): View {
    if (this.threads.length > 0 && this.random.chance(0.4)) return this.random.pick(this.threads);
    const view = this.around.journal.view(`thread-${mark}`, `${this.name} talks`);
    this.threads.push(view);
    return view;
  }

  /** Starts a run, as often as it takes to be answered. @returns its id; null when it is refused. */
  private async run(body: object, key: string): Promise<string | null> {
    const answer = await this.ask('/agent/runs', body, { 'idempotency-key': key });
    if (!answer) return null;
    if (answer.status !== 202) {
      const { code, detail } = answer.body;
      const what = `run: ${answer.status} ${String(code)} ${String(detail)}`;
      this.around.journal.refused(what);
      // Nothing that a person sends is malformed; an answer may come too late.
      if (code !== 'CONFLICT') this.around.journal.complaints.push(`${this.name}: ${what}`);
      return null;
    }
    const { runId, threadId } = answer.body;
    this.around.journal.accepted.push({ runId: String(runId), threadId: String(threadId) });
    return String(runId);
  }

  /** Approves, refuses, gives up, or leaves unanswered what a run asks. @returns the run that goes on. */
  private async react(threadId: string, ending: Ending, key: string): Promise<string | null> {
    if (ending.type !== 'RUN_FINISHED' || ending.outcome !== 'interrupt') return null;
    const { journal } = this.around;
    const chance = this.random.next();
    if (chance < 0.1) return null;
    if (chance < 0.2) {
      await this.cancel(ending.runId);
      return null;
    }
    const approved = chance < 0.8;
    const resume = ending.interrupts.map(({ id }: AguiInterrupt) => ({
      interruptId: id,
      status: 'resolved',
      payload: { approved },
    }));
    journal.resumes += 1;
    return this.run({ threadId, resume }, key);
  }

  /** Reads until the run has ended, over as many connections as it takes. @returns how it ended. */
  private async follow(view: View, runId: string): Promise<Ending | null> {
    const { journal } = this.around;
    const deadline = Date.now() + PATIENCE_MS;
    let cancelAfter = this.random.chance(0.2) ? this.random.between(0, 12) : Infinity;
    while (Date.now() < deadline) {
      const leaveAfter = this.random.chance(0.6) ? this.random.between(1, 15) : Infinity;
      let read = 0;
      const stop = new AbortController();
      const timer = setTimeout(() => stop.abort(), deadline - Date.now());
      try {
        const last = view.seen.at(-1)?.id;
        const frames = this.client().frames(`/agent/runs/${view.threadId}/events`, {
          signal: stop.signal,
          headers: { 'last-event-id': String(last ?? 0) },
        });
        for await (const { id, event } of frames) {
          journal.see(view, Number(id), event as AppEvent);
          read += 1;
          if (read > cancelAfter) {
            cancelAfter = Infinity;
            await this.cancel(runId);
          }
          if (read >= leaveAfter) break;
        }
      } catch (error) {
        journal.refused(`stream: ${wordOf(error)}`);
        await delay(RETRY_MS);
      } finally {
        clearTimeout(timer);
        stop.abort();
      }
      const ending = endOf(view, runId);
      if (ending) return ending;
      journal.reconnects += 1;
    }
    journal.complaints.push(`${this.name}: the stream of ${runId} did not end`);
    return null;
  }

  /** Somebody else's screen: reads from the start of the run, with no id. */
  private async watch(threadId: string, runId: string): Promise<void> {
    const { journal } = this.around;
    const view = journal.view(threadId, `${this.name} watches ${runId}`);
    const frames = this.client().frames(`/agent/runs/${threadId}/events`);
    try {
      for await (const { id, event } of frames) {
        if (view.seen.length > 0 || event['runId'] === runId) {
          journal.see(view, Number(id), event as AppEvent);
        }
        if (endOf(view, runId)) return;
      }
    } catch (error) {
      journal.refused(`watching: ${wordOf(error)}`);
    }
  }

  private async cancel(runId: string): Promise<void> {
    this.around.journal.cancels += 1;
    const answer = await this.ask(`/agent/runs/${runId}/cancel`, {});
    if (answer && answer.status >= 400) {
      this.around.journal.refused(`cancel ${answer.status} ${String(answer.body.code)}`);
    }
  }

  /** Asks one server after another until one answers for good. */
  private async ask(path: string, body: object, headers = {}): Promise<Answer | null> {
    const { journal } = this.around;
    const deadline = Date.now() + PATIENCE_MS;
    let last = 'nothing';
    while (Date.now() < deadline) {
      try {
        const answer = await this.client().post(path, body, headers);
        last = `${answer.status} ${String(answer.body.code)}`;
        if (answer.body.code === 'INTERNAL') journal.complaints.push(`${path}: an internal error`);
        const passing = answer.status >= 500 || answer.status === 429;
        if (!passing && answer.body.code !== 'RUN_ACTIVE') return answer;
        journal.refused(`${path.replace(/run_\w+|thread-[^/]+/, '{id}')} ${last}`);
      } catch (error) {
        last = wordOf(error);
        journal.refused(`request: ${last}`);
      }
      await delay(RETRY_MS);
    }
    journal.complaints.push(`${this.name}: ${path} was not answered: ${last}`);
    return null;
  }

  private client(): ApiClient {
    const client = new ApiClient(this.random.pick(this.around.urls));
    client.token = this.account.token;
    return client;
  }
}

function endOf({ seen }: View, runId: string): Ending | null {
  const last = seen.findLast(
    ({ event }) =>
      event.runId === runId && (event.type === 'RUN_FINISHED' || event.type === 'RUN_ERROR'),
  )?.event;
  return last?.type === 'RUN_FINISHED' || last?.type === 'RUN_ERROR' ? last : null;
}

/** Short and without ports, so that the same trouble has the same name. */
function wordOf(error: unknown): string {
  // Errors of fetch are of another realm than those of a spec.
  if (!isNativeError(error)) return String(error);
  const { cause } = error;
  const code = isNativeError(cause) && 'code' in cause ? String(cause.code) : '';
  return code || error.message.replace(/\d{4,}|thread-\S+|run_\w+/g, '…').slice(0, 80);
}
