import { untilAnswered } from './backoff.js';
import type { Attachment, ChatItem, ToolStatus, UiSchema } from './chat-item.js';
import type { Interrupt, PendingCall, ToolFailure } from './app-event.js';
import type { ApprovalRule, PendingInterrupt } from './approval.js';
import type { Frame } from './event-frames.js';
import { eventStream, type StreamOptions } from './event-stream.js';
import type { ToolDescription, ToolResult } from './client-tools.js';
import { Http, queryOf, type TokenSource } from './http.js';

/** Where a run is: only the first three may still change. */
export type RunStatus = 'queued' | 'running' | 'waiting' | 'succeeded' | 'failed' | 'cancelled';

/** What a person says. */
export interface NewRun {
  message: string;
  /** Absent: a new thread, whose id is in the answer. */
  threadId?: string;
  /** Ids of files that were uploaded before. */
  attachments?: string[];
  /** Skills that the model is told of; absent: all that the deployment shows. */
  enabledSkills?: string[];
  /** Profile of the whitelist: `chat`. */
  profile?: string;
  /** Tools of this client that the agent may call; `giveResults` tells it what they gave. */
  tools?: ToolDescription[];
}

/** The answer to one interrupt; `cancelled` is none, which counts as a no. */
export type Answer =
  | { interruptId: string; status: 'resolved'; payload: unknown }
  | { interruptId: string; status: 'cancelled' };

/** A run that was made; its events come under `client.events(threadId)`. */
export interface AcceptedRun {
  threadId: string;
  runId: string;
  eventsUrl: string;
  historyUrl: string;
}

/** A page of history: the newest messages first asked for, the oldest first within the page. */
export interface HistoryPage {
  /** Null when the person has no thread yet. */
  threadId: string | null;
  messages: ChatItem[];
  /** For the page before this one; null at the beginning. */
  nextCursor: string | null;
  /** What the thread waits for, of the person; usually nothing. */
  interrupts: Interrupt[];
  /** What it waits for of a client, whose tools the agent has called; usually nothing. */
  pendingCalls: PendingCall[];
}

/** A conversation in a list of them; times are ISO 8601, UTC. */
export interface Thread {
  threadId: string;
  title: string;
  createdAt: string;
  updatedAt: string;
  lastRunStatus?: RunStatus;
}

/** What a pressed button did. */
export interface ActionOutcome {
  callId: string;
  module: string;
  method: string;
  status: ToolStatus;
  result: { module: string; method: string; data: unknown } | null;
  error: ToolFailure | null;
  summary: string;
  ui_schema?: UiSchema | null;
}

/**
 * Runs, events and history of one person, typed. Needs `fetch` and nothing else: browsers and Node.
 * Every method throws `StewardProblem` when the server refuses.
 */
export class StewardClient {
  private readonly http: Http;

  /**
   * @param options.origin where the server is, without a trailing slash; absent: the page's own.
   * @param options.auth a bearer token, a function that gives it, or a `Session`.
   */
  constructor(options: {
    origin?: string;
    auth: string | (() => string | Promise<string>) | TokenSource;
  }) {
    const { origin = '', auth } = options;
    const tokens =
      typeof auth === 'object' ? auth : { token: typeof auth === 'function' ? auth : () => auth };
    this.http = new Http(origin.replace(/\/+$/, ''), tokens);
  }

  /**
   * Starts a run. An answer that got lost is asked for again under the same key, so that the message
   * is never sent twice.
   * @throws StewardProblem RUN_ACTIVE while another run is active in the thread.
   */
  async startRun(run: NewRun, idempotencyKey: string = crypto.randomUUID()): Promise<AcceptedRun> {
    const init = { headers: { 'idempotency-key': idempotencyKey } };
    return untilAnswered(() => this.http.json<AcceptedRun>('POST', '/agent/runs', run, init));
  }

  /**
   * Answers everything that a thread waits for. The run that goes on is a new one; the same answers
   * again are the same run.
   * @throws StewardProblem CONFLICT when nothing waits for them any more, INVALID_ACTION_INPUT when
   *   one is missing or does not fit its schema.
   */
  resume(threadId: string, answers: readonly Answer[]): Promise<AcceptedRun> {
    const body = { threadId, resume: answers };
    return untilAnswered(() => this.http.json<AcceptedRun>('POST', '/agent/runs', body));
  }

  /**
   * Tells what the tools of this client gave that a thread waits for: all of them at once. The run that
   * goes on is a new one; the same results again are the same run.
   * @param options.answers to what the run asks its person, where it does.
   * @param options.tools of this client from here on; absent: those of before.
   * @throws StewardProblem CONFLICT when nothing waits for them any more; INVALID_ACTION_INPUT when one
   *   is missing; CREDENTIAL_IN_INPUT for one that carries a credential.
   */
  giveResults(
    threadId: string,
    toolResults: readonly ToolResult[],
    options: { answers?: readonly Answer[]; tools?: ToolDescription[] } = {},
  ): Promise<AcceptedRun> {
    const { answers, tools } = options;
    const body = {
      threadId,
      toolResults,
      ...(answers && { resume: answers }),
      ...(tools && { tools }),
    };
    return untilAnswered(() => this.http.json<AcceptedRun>('POST', '/agent/runs', body));
  }

  /**
   * Everything that waits for the person, newest first. `resolve` answers what has no `runId`: calls
   * of agents of others that act for the person. `resume` answers what a run waits for.
   */
  pendingInterrupts(
    options: { limit?: number; cursor?: string } = {},
  ): Promise<{ interrupts: PendingInterrupt[]; nextCursor: string | null }> {
    const { limit, cursor } = options;
    const query = queryOf({ status: 'pending', limit, cursor });
    return this.http.json('GET', `/agent/interrupts${query}`);
  }

  /**
   * Answers the call of an agent outside of runs, which the agent makes again afterwards.
   * @throws StewardProblem CONFLICT when it is answered already, too late, or belongs to a run;
   *   INVALID_ACTION_INPUT when the answer does not fit its schema.
   */
  resolve({ interruptId, ...answer }: Answer): Promise<PendingInterrupt> {
    const path = `/agent/interrupts/${encodeURIComponent(interruptId)}/resolve`;
    return this.http.json('POST', path, answer);
  }

  /** What the person has allowed once and for all, newest first. */
  approvalRules(
    options: { limit?: number; cursor?: string } = {},
  ): Promise<{ rules: ApprovalRule[]; nextCursor: string | null }> {
    const { limit, cursor } = options;
    return this.http.json('GET', `/agent/approval-rules${queryOf({ limit, cursor })}`);
  }

  /** Takes a standing approval back; the next call asks again. */
  removeApprovalRule(ruleId: string): Promise<void> {
    return this.http.json('DELETE', `/agent/approval-rules/${encodeURIComponent(ruleId)}`);
  }

  /** Asks a run to stop, again where no answer comes; a run that has ended stays as it ended. */
  cancelRun(runId: string): Promise<{ runId: string; status: RunStatus }> {
    const path = `/agent/runs/${encodeURIComponent(runId)}/cancel`;
    return untilAnswered(() => this.http.json('POST', path));
  }

  /** The events of a thread, each once and in order, across lost connections. */
  events(threadId: string, options?: StreamOptions): AsyncGenerator<Frame> {
    return eventStream(this.http, threadId, options);
  }

  /** Absent `threadId`: the thread that was used last. */
  history(
    options: { threadId?: string; limit?: number; cursor?: string } = {},
  ): Promise<HistoryPage> {
    const { threadId, limit, cursor } = options;
    return this.http.json('GET', `/agent/history${queryOf({ threadId, limit, cursor })}`);
  }

  /** Conversations, most recently used first. */
  threads(
    options: { limit?: number; cursor?: string } = {},
  ): Promise<{ threads: Thread[]; nextCursor: string | null }> {
    const { limit, cursor } = options;
    return this.http.json('GET', `/agent/threads${queryOf({ limit, cursor })}`);
  }

  /** Deletes a conversation with its runs, events and files. @throws StewardProblem RUN_ACTIVE. */
  deleteThread(threadId: string): Promise<void> {
    return this.http.json('DELETE', `/agent/threads/${encodeURIComponent(threadId)}`);
  }

  /** Presses a card's button: what its action names. */
  act(action: {
    module: string;
    method: string;
    input?: Record<string, unknown>;
  }): Promise<ActionOutcome> {
    return this.http.json('POST', '/agent/actions', action);
  }

  /** Uploads a file for the next message. @throws StewardProblem LIMIT_EXCEEDED, INVALID_ACTION_INPUT. */
  async upload(file: Blob, name: string): Promise<Attachment> {
    const form = new FormData();
    form.append('file', file, name);
    const response = await this.http.send('/agent/attachments', { method: 'POST', body: form });
    return (await response.json()) as Attachment;
  }

  /** An attachment with a link to its content that works without a token until `expiresAt`. */
  attachment(id: string): Promise<Attachment & { url: string; expiresAt: string }> {
    return this.http.json('GET', `/agent/attachments/${encodeURIComponent(id)}`);
  }
}
