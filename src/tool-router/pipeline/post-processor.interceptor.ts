import {
  Inject,
  Injectable,
  Logger,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { Clock } from '../../common/clock.js';
import type { JsonObject, JsonValue } from '../../common/json.js';
import { StewardError } from '../../common/steward-error.js';
import { APP_CONFIG, type AppConfig } from '../../config/app-config.js';
import { redactTokenValues } from '../../tool-output/credential-scan.js';
import { projectionBytes } from '../../tool-output/projection.js';
import type { ApprovalFacts, ToolAgentOutput } from '../../tool-output/tool-agent-output.js';
import { callHash } from '../../interrupts/interrupt.js';
import type { UiHints } from '../../tool-output/ui-hints.js';
import { CapabilityAccess } from '../capability-access.js';
import { PartialResult } from '../partial-result.js';
import { compactSchema } from '../schema/compact-schema.js';
import type { ToolInvocation } from '../tool-invocation.js';
import { InputRequired } from '../input-required.js';
import { ClientCallHandedOut } from '../client-tools/client-call.js';
import { askedCall } from './approval-gate.js';
import { CallSuspended } from './call-suspended.js';
import { withDeadline } from './deadline.js';
import { FailureLog } from './failure-log.js';
import { invocationOf } from './invocation-of.js';
import { toJsonData } from './json-data.js';
import { failureRecord, successRecord } from './record-builder.js';
import { asStewardError } from './tool-error.js';

/**
 * The tool post-processor (PROTOCOL §3, §7): whatever pipe and handler do, one record comes out:
 * a result, a partial one, a thrown error, a timeout, a cancelled call.
 */
@Injectable()
export class PostProcessor implements NestInterceptor<unknown, ToolAgentOutput> {
  private readonly logger = new Logger(PostProcessor.name);

  constructor(
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    private readonly clock: Clock,
    private readonly failures: FailureLog,
    private readonly access: CapabilityAccess,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<ToolAgentOutput> {
    return from(this.process(invocationOf(context), next));
  }

  private async process(invocation: ToolInvocation, next: CallHandler): Promise<ToolAgentOutput> {
    const { facts, capability, abort } = invocation;
    try {
      const returned: unknown = await withDeadline(
        () => lastValueFrom<unknown, undefined>(next.handle(), { defaultValue: undefined }),
        abort,
        capability.descriptor.timeoutMs,
      );
      return this.success(invocation, returned);
    } catch (error) {
      if (error instanceof ClientCallHandedOut) {
        const approval = approvalFacts(invocation);
        const { repairs } = invocation;
        throw new ClientCallHandedOut({ ...error.call, repairs, ...(approval && { approval }) });
      }
      const suspended = error instanceof InputRequired ? this.question(invocation, error) : error;
      if (suspended instanceof CallSuspended) {
        await invocation.gate.leave(invocation);
        throw suspended;
      }
      const known = withSchema(asStewardError(error), capability.descriptor.inputSchema);
      this.failures.log(capability.descriptor.id, known);
      return failureRecord(facts, known, this.clock.now(), invocation.repairs);
    }
  }

  private question(invocation: ToolInvocation, { question }: InputRequired): CallSuspended {
    const { capability, context } = invocation;
    const rule = this.access.approval(context.claims, capability)?.rule ?? null;
    return new CallSuspended(askedCall(invocation), { kind: 'question', ...question, rule });
  }

  /** @throws StewardError OUTPUT_INVALID, OUTPUT_TOO_LARGE. */
  private success(invocation: ToolInvocation, returned: unknown): ToolAgentOutput {
    const { facts, capability, repairs } = invocation;
    const partial = returned instanceof PartialResult;
    // What stands in place of a token is what the call returned, for the model and for the record.
    const data = redactTokenValues(toJsonData(partial ? returned.data : returned));
    const input = invocation.input ?? {};
    const record = successRecord(
      facts,
      {
        status: partial ? 'partial' : 'success',
        data,
        input,
        repairs,
        approval: approvalFacts(invocation),
        uiHints: this.uiHints(invocation, data, input),
        summary: capability.registration.summary,
      },
      this.clock.now(),
    );
    const bytes = projectionBytes(record);
    if (bytes > this.config.TOOL_OUTPUT_MAX_BYTES) {
      throw tooLarge(capability.descriptor.inputSchema, bytes, this.config.TOOL_OUTPUT_MAX_BYTES);
    }
    return record;
  }

  /** A template that fails costs the card, never the call. */
  private uiHints(invocation: ToolInvocation, data: JsonValue, input: JsonObject): UiHints | null {
    const { capability, context } = invocation;
    const { locale, timezone } = context;
    try {
      return capability.registration.ui?.(data, input, { locale, timezone }) ?? null;
    } catch (error) {
      this.logger.error(`The card of ${capability.descriptor.id} failed: ${String(error)}`);
      return null;
    }
  }
}

/** Whose leave the call had, when a person gave it for this call. */
function approvalFacts({ permits, capability, input }: ToolInvocation): ApprovalFacts | null {
  const { approval } = permits;
  if (!approval || approval === 'standing') return null;
  const { module, method } = capability.descriptor;
  return { interrupt_id: approval.id, input_hash: callHash(module, method, input ?? {}) };
}

/** A rule of the method's own that refuses the input shows what is accepted, like the pipe. */
function withSchema(error: StewardError, inputSchema: JsonObject): StewardError {
  const { code, message, details, cause } = error;
  if (code !== 'INVALID_ACTION_INPUT' || details.inputSchema) return error;
  const shown = { ...details, inputSchema: compactSchema(inputSchema) };
  return new StewardError(code, message, shown, cause === undefined ? undefined : { cause });
}

/** Says how the caller gets less: by the paging keys that the method has. */
function tooLarge(inputSchema: JsonObject, bytes: number, max: number): StewardError {
  const keys = Object.keys(inputSchema.properties ?? {});
  const paging = ['limit', 'cursor'].filter((key) => keys.includes(key));
  const how =
    paging.length > 0
      ? `Ask for less with ${paging.join(' and ')}.`
      : keys.length > 0
        ? `Narrow the call with ${keys.join(', ')}.`
        : 'Ask for less.';
  const message = `The result has ${bytes} bytes; at most ${max} can be returned. ${how}`;
  return new StewardError('OUTPUT_TOO_LARGE', message);
}
