import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { CapabilityAccess } from '../capability-access.js';
import { invocationOf } from './invocation-of.js';

/** Lets a call through only when its caller may execute the method now (PROTOCOL §3, §14). */
@Injectable()
export class WhitelistGuard implements CanActivate {
  constructor(private readonly access: CapabilityAccess) {}

  /** @throws StewardError METHOD_DISABLED, METHOD_NOT_ALLOWED, SCOPE_EXCEEDED. */
  canActivate(context: ExecutionContext): true {
    const { capability, context: call, trace } = invocationOf(context);
    const { effect, rule } = this.access.decide(call.claims, capability.descriptor.id);
    trace.verdict = { effect, rule };
    const denial = this.access.denial(call.claims, capability);
    if (denial) throw denial;
    return true;
  }
}
