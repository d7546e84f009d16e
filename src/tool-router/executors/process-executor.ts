import { Inject, Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import type { JsonObject } from '../../common/json.js';
import { StewardError } from '../../common/steward-error.js';
import { APP_CONFIG, type AppConfig } from '../../config/app-config.js';
import { redactText } from '../../tool-output/credential-scan.js';
import { TOOL_NAME, type ToolAgentOutput } from '../../tool-output/tool-agent-output.js';
import { parseToolCall } from '../parse-tool-call.js';
import { failureRecord } from '../pipeline/record-builder.js';
import { ToolRecordStore } from '../records/tool-record.store.js';
import type { ExecutionRequest, ToolExecutor } from '../tool-executor.js';
import type { CallFacts } from '../tool-invocation.js';
import { childEnvironment } from './child-environment.js';
import { errorOfDocument } from './child-document.js';
import { InlineExecutor } from './inline-executor.js';
import { ListeningAddress } from './listening-address.js';
import { callFacts } from './model-call.js';
import { projectCliBundle } from './project-cli-bundle.js';
import { runChild, type ChildResult } from './run-child.js';

/** Ids and zones that a header and an environment variable carry unchanged. */
const PLAIN = /^[\x21-\x7e]{1,200}$/;

/** Tokens that an environment variable and a header carry; the gateway refuses the others. */
const CREDENTIAL = /^[\x21-\x7e]{1,8192}$/;

/** A mode as methods name theirs; others stay in the input only. */
const MODE = /^[a-z][a-z_]{0,31}$/;

/**
 * How long the record of a killed child's call is waited for: the router notices that its caller
 * left, ends the call and records what became of it.
 */
const RECORD_WAIT_MS = 1500;
const RECORD_POLL_MS = 50;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** What a command line can carry of a call. */
interface Command {
  args: string[];
  stdin: string;
}

/** argv carries module, method, mode and format, stdin the input (seed 000 §4). */
function commandOf(module: string, method: string, input: JsonObject): Command {
  const { mode } = input;
  const flags = typeof mode === 'string' && MODE.test(mode) ? ['--mode', mode] : [];
  return { args: [module, method, ...flags, '--format', 'json'], stdin: JSON.stringify(input) };
}

/**
 * Executes a call in a child process with project-cli (PROTOCOL §3-4, `CLI_EXECUTOR=process`). The
 * record is the one that the router made; one is made here only for a call that the router never
 * saw, or whose end it did not tell.
 */
@Injectable()
export class ProcessExecutor implements ToolExecutor {
  private readonly logger = new Logger('ProjectCli');
  private bundle: string | undefined;

  constructor(
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    private readonly inline: InlineExecutor,
    private readonly records: ToolRecordStore,
    private readonly address: ListeningAddress,
    private readonly clock: Clock,
  ) {
    // Early, so that a missing build stops the start and not the first call.
    if (config.CLI_EXECUTOR === 'process') this.script();
  }

  async execute(request: ExecutionRequest, signal: AbortSignal): Promise<ToolAgentOutput> {
    const command = this.command(request);
    if (command === null || signal.aborted) return this.inline.execute(request, signal);
    const facts = callFacts(request, this.clock.now());
    const endpoint = this.config.PROJECT_CLI_ENDPOINT ?? this.address.url;
    if (endpoint === undefined) {
      return this.fail(facts, 'DEPENDENCY_UNAVAILABLE', 'The server does not listen yet.');
    }
    const child = await runChild(
      {
        script: this.script(),
        ...command,
        env: childEnvironment(request, endpoint, this.config.CLI_TIMEOUT_MS),
        timeoutMs: this.config.CLI_TIMEOUT_MS,
        maxOutputBytes: this.config.CLI_OUTPUT_MAX_BYTES,
      },
      signal,
    );
    return this.settle(request, facts, child);
  }

  private script(): string {
    return (this.bundle ??= projectCliBundle());
  }

  /** Null for a call that no command line can carry; the gateway answers it as it stands. */
  private command(request: ExecutionRequest): Command | null {
    const { toolCallId, runId, timezone } = request;
    if (request.name !== TOOL_NAME || !CREDENTIAL.test(request.credential)) return null;
    if (![toolCallId, runId, timezone].every((value) => PLAIN.test(value))) return null;
    const call = parseToolCall(request.arguments);
    if (call.error) return null;
    const { module, method } = call.args;
    if (module.startsWith('-') || method.startsWith('-')) return null;
    return commandOf(module, method, call.input);
  }

  /** The router's record, or what stands in for it. */
  private async settle(
    request: ExecutionRequest,
    facts: CallFacts,
    child: ChildResult,
  ): Promise<ToolAgentOutput> {
    const record = await this.find(request, facts, child.end === 'exit' ? 0 : RECORD_WAIT_MS);
    // The router saw its caller leave, which was our clock and nobody's wish.
    const leftByClock = child.end === 'timeout' && record?.error?.code === 'CANCELLED';
    if (record && !leftByClock) return record;
    const error = child.end === 'exit' ? errorOfDocument(child.stdout) : null;
    if (error) return failureRecord(facts, error, this.clock.now());
    this.logEnd(child, facts);
    switch (child.end) {
      case 'timeout':
        return this.fail(facts, 'TIMEOUT', 'The call took too long and was ended.');
      case 'abort':
        return this.fail(facts, 'CANCELLED', 'The call was cancelled.');
      case 'output':
        return this.fail(facts, 'OUTPUT_TOO_LARGE', 'The result is too large; ask for less of it.');
      default:
        // A result that nobody can replay does not count, whatever the child printed.
        return this.fail(facts, 'DEPENDENCY_UNAVAILABLE', 'The call ended without a record of it.');
    }
  }

  /** The record of exactly this call, looked for again until `waitMs` are over. */
  private async find(
    call: ExecutionRequest,
    facts: CallFacts,
    waitMs: number,
  ): Promise<ToolAgentOutput | null> {
    const until = performance.now() + waitMs;
    try {
      for (;;) {
        const record = await this.records.find(call);
        const same = JSON.stringify(record?.tool_call_args) === JSON.stringify(facts.args);
        if (record) return same ? record : null;
        if (performance.now() >= until) return null;
        await pause(RECORD_POLL_MS);
      }
    } catch (error) {
      this.logger.error(`The record of a call cannot be read: ${redactText(String(error))}`);
      return null;
    }
  }

  private fail(
    facts: CallFacts,
    code: 'TIMEOUT' | 'CANCELLED' | 'OUTPUT_TOO_LARGE' | 'DEPENDENCY_UNAVAILABLE',
    message: string,
  ): ToolAgentOutput {
    return failureRecord(facts, new StewardError(code, message), this.clock.now());
  }

  /** For the operator; what a child that did its work says on stderr stands in the record too. */
  private logEnd({ end, exitCode, stderr }: ChildResult, { args }: CallFacts): void {
    const said = stderr === '' ? '' : `: ${redactText(stderr).trim()}`;
    const how = end === 'exit' ? `exit status ${exitCode}` : end;
    this.logger.warn(`project-cli ${args.module} ${args.method} ended by ${how}${said}`);
  }
}
