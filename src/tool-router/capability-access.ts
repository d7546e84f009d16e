import { Injectable } from '@nestjs/common';
import { StewardError } from '../common/steward-error.js';
import { scopeAllows } from '../credential/scope.js';
import { WhitelistService } from '../whitelist/whitelist.service.js';
import type { CapabilityDescriptor } from './capability.js';
import type { Caller } from './caller.js';
import type { ModuleSummary, RegisteredCapability } from './capability-registration.js';
import { CapabilityRegistry } from './capability-registry.js';
import { nearest } from './input/nearest.js';

/** Names listed in an error; a model that needs more asks `help.methods`. */
const MAX_ALLOWED = 20;

/** The rule of a capability that asks by itself. */
const CAPABILITY_ASKS = 'capability requires approval';

/**
 * The one decision on who may call what (PROTOCOL §14): registered, enabled, allowed by the
 * whitelist and not denied, in the credential's scope. The guard, help, suggestions in errors and
 * the model's tool description all ask here.
 */
@Injectable()
export class CapabilityAccess {
  constructor(
    private readonly registry: CapabilityRegistry,
    private readonly whitelist: WhitelistService,
  ) {}

  /** What keeps `caller` from calling the capability; null when nothing does. */
  denial(caller: Caller, capability: RegisteredCapability): StewardError | null {
    const { id } = capability.descriptor;
    if (!capability.enabled) {
      return this.refusal('METHOD_DISABLED', `${id} is switched off at the moment.`, caller, id);
    }
    const decision = this.whitelist.decide(caller, id);
    if (decision.effect === 'deny') {
      return this.refusal('METHOD_NOT_ALLOWED', `${id} is not allowed here.`, caller, id);
    }
    if (!scopeAllows(caller.scope, id)) {
      const message = `${id} is outside of what this credential was issued for.`;
      return this.refusal('SCOPE_EXCEEDED', message, caller, id);
    }
    return null;
  }

  /**
   * Whether a call that nothing denies waits for a person's approval, and the rule that says so:
   * one of the whitelist (`roles.user.ask calendar.delete`) or the capability's own. Null when not.
   */
  approval(caller: Caller, { descriptor }: RegisteredCapability): { rule: string } | null {
    const { effect, rule } = this.whitelist.decide(caller, descriptor.id);
    if (effect === 'ask') return { rule };
    return descriptor.requiresApproval ? { rule: CAPABILITY_ASKS } : null;
  }

  /** Capabilities that `caller` may execute now, by id. */
  visible(caller: Caller): CapabilityDescriptor[] {
    return this.registry
      .list()
      .filter((capability) => this.mayCall(caller, capability))
      .map(({ descriptor }) => descriptor);
  }

  /** Modules of which `caller` may execute a method. */
  visibleModules(caller: Caller): ModuleSummary[] {
    const names = new Set(this.visible(caller).map(({ module }) => module));
    return this.registry.listModules().filter(({ name }) => names.has(name));
  }

  /**
   * The capability that a call names; whether `caller` may execute it is the guard's business.
   * @throws StewardError MODULE_NOT_FOUND, METHOD_NOT_FOUND; they suggest visible names only.
   */
  resolve(caller: Caller, module: string, method: string): RegisteredCapability {
    const found = this.registry.get(`${module}.${method}`);
    if (found && found.descriptor.module === module) return found;
    throw this.unknown(caller, module, method, this.registry.hasModule(module));
  }

  /**
   * The same for the eyes of `caller`: what it may not execute does not exist.
   * @throws StewardError MODULE_NOT_FOUND, METHOD_NOT_FOUND.
   */
  visibleMethod(caller: Caller, module: string, method: string): CapabilityDescriptor {
    const visible = this.visible(caller);
    const found = visible.find((d) => d.module === module && d.method === method);
    if (found) return found;
    throw this.unknown(
      caller,
      module,
      method,
      visible.some((d) => d.module === module),
    );
  }

  private unknown(
    caller: Caller,
    module: string,
    method: string,
    moduleExists: boolean,
  ): StewardError {
    const visible = this.visible(caller);
    if (!moduleExists) {
      const modules = [...new Set(visible.map((d) => d.module))];
      const meant = nearest(module, modules);
      return notFound('MODULE_NOT_FOUND', 'There is no such module.', modules, meant);
    }
    const methods = visible.filter((d) => d.module === module).map((d) => d.method);
    const meant = nearest(method, methods);
    return notFound(
      'METHOD_NOT_FOUND',
      `Module ${module} has no such method.`,
      methods.map((name) => `${module}.${name}`),
      meant && `${module}.${meant}`,
    );
  }

  private mayCall(caller: Caller, { descriptor, enabled }: RegisteredCapability): boolean {
    return (
      enabled &&
      scopeAllows(caller.scope, descriptor.id) &&
      this.whitelist.decide(caller, descriptor.id).effect !== 'deny'
    );
  }

  private refusal(
    code: 'METHOD_DISABLED' | 'METHOD_NOT_ALLOWED' | 'SCOPE_EXCEEDED',
    message: string,
    caller: Caller,
    id: string,
  ): StewardError {
    const visible = this.visible(caller);
    const module = id.slice(0, id.indexOf('.'));
    const siblings = visible.filter((d) => d.module === module);
    const allowed = (siblings.length > 0 ? siblings : visible).map((d) => d.id);
    return new StewardError(code, message, { allowed: allowed.slice(0, MAX_ALLOWED) });
  }
}

function notFound(
  code: 'MODULE_NOT_FOUND' | 'METHOD_NOT_FOUND',
  message: string,
  allowed: string[],
  didYouMean: string | undefined,
): StewardError {
  return new StewardError(code, message, {
    allowed: allowed.slice(0, MAX_ALLOWED),
    ...(didYouMean !== undefined && { didYouMean }),
  });
}
