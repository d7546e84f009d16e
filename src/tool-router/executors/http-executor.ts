import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { failureDocument } from '../../cli/cli-failure.js';
import { readAnswer } from '../../cli/read-answer.js';
import { Clock } from '../../common/clock.js';
import { APP_CONFIG, type AppConfig } from '../../config/app-config.js';
import type { ToolAgentOutput } from '../../tool-output/tool-agent-output.js';
import { CONTEXT_HEADER } from '../call-context-header.js';
import type { ExecutionRequest, ToolExecutor } from '../tool-executor.js';
import type { CallFacts } from '../tool-invocation.js';
import { CallSettlement, type Carried } from './call-settlement.js';
import { contextJson } from './child-environment.js';
import { DoorClient, type DoorAnswer, type DoorOutcome } from './door-client.js';
import { InlineExecutor } from './inline-executor.js';
import { ListeningAddress } from './listening-address.js';
import { callFacts } from './model-call.js';
import { portableCall } from './portable-call.js';

/**
 * How long a tool door that cannot be reached is tried again: a replica that is replaced behind one
 * address is back by then, and a model need not hear of it.
 */
const RETRY_FOR_MS = 10_000;
const RETRY_DELAYS_MS = [50, 100, 200, 400, 800];

/** Up to half less: the calls that one replica's end has cut do not all come to the next at once. */
const JITTER = 0.5;

/** Answers of a server that has not taken the call; what the router itself says comes with 200. */
const NOT_TAKEN = new Set([502, 503]);

/**
 * Executes a call through the tool door of an API replica (`CLI_EXECUTOR=http`), with the run's own
 * credential, as project-cli does but without a process for each call. A request that was lost is
 * sent again under the same tool call id, which the router executes once (PROTOCOL §3).
 */
@Injectable()
export class HttpExecutor implements ToolExecutor, OnModuleDestroy {
  private readonly logger = new Logger('ToolDoor');
  private client: DoorClient | null = null;

  constructor(
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    private readonly inline: InlineExecutor,
    private readonly settlement: CallSettlement,
    private readonly address: ListeningAddress,
    private readonly clock: Clock,
  ) {}

  onModuleDestroy(): void {
    this.client?.close();
  }

  async execute(request: ExecutionRequest, signal: AbortSignal): Promise<ToolAgentOutput> {
    const call = portableCall(request);
    if (call === null || signal.aborted) return this.inline.execute(request, signal);
    const facts = callFacts(request, this.clock.now());
    const endpoint = await this.endpoint(signal);
    if (endpoint === null) return this.inline.execute(request, signal);
    this.client ??= new DoorClient(endpoint);
    const body = Buffer.from(JSON.stringify(call));
    const outcome = await this.post(this.client, request, body, signal);
    return this.settlement.settle(request, facts, carried(outcome, facts), signal, () =>
      this.logEnd(outcome, facts),
    );
  }

  /** Null when the run was ended before the server listens. */
  private async endpoint(signal: AbortSignal): Promise<string | null> {
    const { PROJECT_CLI_ENDPOINT: named } = this.config;
    return named ?? (await this.address.url(signal).catch(() => null));
  }

  /** Asks until there is an answer, the time is over, or the run ends. */
  private async post(
    client: DoorClient,
    request: ExecutionRequest,
    body: Buffer,
    signal: AbortSignal,
  ): Promise<DoorOutcome> {
    const begun = performance.now();
    const until = begun + Math.min(RETRY_FOR_MS, this.config.CLI_TIMEOUT_MS);
    const headers = {
      accept: 'application/json',
      authorization: `Bearer ${request.credential}`,
      'content-type': 'application/json',
      [CONTEXT_HEADER]: contextJson(request),
      ...(request.traceparent !== undefined && { traceparent: request.traceparent }),
    };
    for (let attempt = 0; ; attempt += 1) {
      const timeoutMs = Math.max(1, begun + this.config.CLI_TIMEOUT_MS - performance.now());
      const maxBytes = this.config.CLI_OUTPUT_MAX_BYTES;
      const outcome = await client.post({ body, headers, timeoutMs, maxBytes }, signal);
      const longest = RETRY_DELAYS_MS[Math.min(attempt, RETRY_DELAYS_MS.length - 1)] ?? 0;
      const delay = longest * (1 - JITTER * Math.random());
      if (!isWorthRetrying(outcome) || performance.now() + delay > until) return outcome;
      await pause(delay, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return { end: 'abort' };
    }
  }

  private logEnd(outcome: DoorOutcome, { args }: CallFacts): void {
    this.logger.warn(`The call ${args.module} ${args.method} ended by ${describe(outcome)}.`);
  }
}

function isWorthRetrying(outcome: DoorOutcome): boolean {
  return (
    outcome.end === 'lost' || (outcome.end === 'answer' && NOT_TAKEN.has(outcome.answer.status))
  );
}

/** The same words in which project-cli tells of what is no answer of the router. */
function carried(outcome: DoorOutcome, { args }: CallFacts): Carried {
  if (outcome.end === 'answer') {
    return { end: 'exit', document: JSON.stringify(documentOf(outcome.answer, args)) };
  }
  return { end: outcome.end === 'lost' ? 'spawn' : outcome.end, document: '' };
}

function documentOf(answer: DoorAnswer, { module, method }: CallFacts['args']) {
  try {
    return readAnswer(answer);
  } catch (error) {
    return failureDocument(error, module, method);
  }
}

function describe(outcome: DoorOutcome): string {
  if (outcome.end === 'lost') return `a lost connection (${outcome.why})`;
  if (outcome.end !== 'answer') return outcome.end;
  const { status, body } = outcome.answer;
  // What a call gives is somebody's own, and none of the log's.
  return `HTTP status ${status} and a body of ${Buffer.byteLength(body)} bytes`;
}
