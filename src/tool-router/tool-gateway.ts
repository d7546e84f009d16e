import { Injectable } from '@nestjs/common';
import { CLIENT_MODULE } from '../common/capability-id.js';
import { ToolTelemetry } from '../observability/tool-telemetry.js';
import type { ToolAgentOutput } from '../tool-output/tool-agent-output.js';
import { CallEntry } from './call-entry.js';
import type { Caller } from './caller.js';
import { CapabilityAccess } from './capability-access.js';
import { CapabilityRegistry } from './capability-registry.js';
import { ClientCallHandedOut } from './client-tools/client-call.js';
import type { GatewayRequest, HandedOut } from './gateway-request.js';
import { parseToolCall, type ParsedCall } from './parse-tool-call.js';
import { projectCliTool, type ProjectCliTool } from './project-cli-tool.js';

export type { GatewayRequest, HandedOut } from './gateway-request.js';

/**
 * The way of every call, whichever door it comes through (PROTOCOL §3): credential (CallEntry), record
 * (CallSettling), router, whitelist guard, input, handler and post-processor (CallExecution).
 */
@Injectable()
export class ToolGateway {
  constructor(
    private readonly entry: CallEntry,
    private readonly registry: CapabilityRegistry,
    private readonly access: CapabilityAccess,
    private readonly telemetry: ToolTelemetry,
  ) {}

  /**
   * Executes one call and gives its record. Never throws for what a caller did wrong: a malformed
   * call, a bad credential, a denial are failure records. Calls without a valid credential are not
   * stored but in the audit: nobody vouches for them.
   * @param signal ends the call with CANCELLED, which is recorded unless the call's run goes on.
   */
  invoke(request: GatewayRequest, signal: AbortSignal): Promise<ToolAgentOutput> {
    const call = parseToolCall(request.call);
    return this.telemetry.call(this.countedAs(call), () =>
      this.entry.answer(request, call, signal),
    );
  }

  /**
   * The same for a call of a run whose client may have to carry it out: one of the client's tools comes
   * back checked, when nothing keeps it from being called, and has no record until its client answers.
   */
  handOut(request: GatewayRequest, signal: AbortSignal): Promise<ToolAgentOutput | HandedOut> {
    const call = parseToolCall(request.call);
    return this.telemetry.call<ToolAgentOutput | HandedOut>(this.countedAs(call), async () => {
      try {
        return await this.entry.answer({ ...request, handsOut: true }, call, signal);
      } catch (error) {
        if (!(error instanceof ClientCallHandedOut)) throw error;
        return { status: 'handed_out', error: null, handedOut: error.call };
      }
    });
  }

  /** The method as metrics name it: strangers name the tools of clients, so that those are counted as one. */
  private countedAs({ args: { module, method } }: ParsedCall): string | null {
    const id = `${module}.${method}`;
    if (this.registry.get(id)) return id;
    return module === CLIENT_MODULE ? `${CLIENT_MODULE}.*` : null;
  }

  /**
   * The tool as a model gets it (PROTOCOL §2); with `caller`, only the modules of which it may
   * execute a method are named.
   */
  projectCliTool(caller?: Caller): ProjectCliTool {
    return projectCliTool(
      caller ? this.access.visibleModules(caller) : this.registry.listModules(),
    );
  }
}
