import { Inject, Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import type { JsonObject } from '../../common/json.js';
import { APP_CONFIG, type AppConfig } from '../../config/app-config.js';
import { redactText } from '../../tool-output/credential-scan.js';
import type { ToolAgentOutput } from '../../tool-output/tool-agent-output.js';
import type { ExecutionRequest, ToolExecutor } from '../tool-executor.js';
import type { CallFacts } from '../tool-invocation.js';
import { CallSettlement } from './call-settlement.js';
import { childEnvironment } from './child-environment.js';
import { InlineExecutor } from './inline-executor.js';
import { ListeningAddress } from './listening-address.js';
import { callFacts } from './model-call.js';
import { portableCall } from './portable-call.js';
import { projectCliBundle } from './project-cli-bundle.js';
import { runChild, type ChildResult } from './run-child.js';

/** A mode as methods name theirs; others stay in the input only. */
const MODE = /^[a-z][a-z_]{0,31}$/;

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
    private readonly settlement: CallSettlement,
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
    const endpoint = await this.endpoint(signal);
    if (endpoint === null) return this.inline.execute(request, signal);
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
    const { end, stdout: document } = child;
    return this.settlement.settle(request, facts, { end, document }, signal, () =>
      this.logEnd(child, facts),
    );
  }

  /** Null when the run was ended before the server listens. */
  private async endpoint(signal: AbortSignal): Promise<string | null> {
    const { PROJECT_CLI_ENDPOINT: named } = this.config;
    return named ?? (await this.address.url(signal).catch(() => null));
  }

  private script(): string {
    return (this.bundle ??= projectCliBundle());
  }

  /** Null for a call that no command line can carry; the gateway answers it as it stands. */
  private command(request: ExecutionRequest): Command | null {
    const call = portableCall(request);
    return call && commandOf(call.module, call.method, call.input);
  }

  /** For the operator; what a child that did its work says on stderr stands in the record too. */
  private logEnd({ end, exitCode, stderr }: ChildResult, { args }: CallFacts): void {
    const said = stderr === '' ? '' : `: ${redactText(stderr).trim()}`;
    const how = end === 'exit' ? `exit status ${exitCode}` : end;
    this.logger.warn(`project-cli ${args.module} ${args.method} ended by ${how}${said}`);
  }
}
