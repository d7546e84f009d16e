import { Injectable } from '@nestjs/common';
import { StewardError } from '../common/steward-error.js';
import { NO_SETTING, type CallLimits } from '../capabilities/capability-setting.js';
import { CapabilitySettings } from '../capabilities/capability-settings.js';
import type { ErrorCode } from '../common/error-codes.js';
import type { Decide } from '../whitelist/decision.js';
import { WhitelistService } from '../whitelist/whitelist.service.js';
import { decideCall, type CallDecision } from './call-decision.js';
import type { CapabilityDescriptor } from './capability.js';
import type { Caller } from './caller.js';
import type { ModuleSummary, RegisteredCapability } from './capability-registration.js';
import { CapabilityRegistry } from './capability-registry.js';
import { CLIENT_MODULE } from '../common/capability-id.js';
import { CLIENT_MODULE_SUMMARY, clientToolSet } from './client-tools/client-tool-set.js';
import { nearest } from './input/nearest.js';

/** Names listed in an error; a model that needs more asks `help.methods`. */
const MAX_ALLOWED = 20;

/** The refusal that a decision is told with. */
const REFUSALS: Partial<Record<ErrorCode, string>> = {
  METHOD_DISABLED: 'is switched off at the moment.',
  METHOD_NOT_ALLOWED: 'is not allowed here.',
  DEPENDENCY_UNAVAILABLE: 'cannot be decided on at the moment: it is not known what is allowed.',
  SCOPE_EXCEEDED: 'is outside of what this credential was issued for.',
};

/**
 * Who may call what (PROTOCOL §14): the facts for `decideCall`, and its decision in the words of each
 * that asks: the guard, help, suggestions in errors, explain, the model's tool description.
 */
@Injectable()
export class CapabilityAccess {
  constructor(
    private readonly registry: CapabilityRegistry,
    private readonly whitelist: WhitelistService,
    private readonly settings: CapabilitySettings,
  ) {}

  /**
   * The decision on a call by `caller`, registered or not.
   * @param policy a whitelist other than the one in force, to see what it would do.
   */
  decide(
    caller: Caller,
    id: string,
    policy: Decide = (subject, capability) => this.whitelist.decide(subject, capability),
  ): CallDecision {
    const found = this.find(caller, id);
    const settings = this.settings.inForce;
    return decideCall({
      id,
      capability: found ? { ...found.descriptor, enabled: found.enabled } : null,
      moduleExists: this.hasModule(caller, id.slice(0, id.indexOf('.'))),
      setting: settings && (settings.get(id) ?? NO_SETTING),
      whitelist: policy(caller, id),
      scope: caller.scope,
    });
  }

  /** What keeps `caller` from calling the capability; null when nothing does. */
  denial(caller: Caller, { descriptor: { id } }: RegisteredCapability): StewardError | null {
    const { code } = this.decide(caller, id);
    if (code === null) return null;
    return this.refusal(code, `${id} ${REFUSALS[code] ?? 'cannot be called.'}`, caller, id);
  }

  /**
   * Whether a call that nothing denies waits for a person's approval, and the rule that says so:
   * one of the whitelist (`roles.user.ask calendar.delete`) or the capability's own. Null when not.
   */
  approval(caller: Caller, { descriptor: { id } }: RegisteredCapability): { rule: string } | null {
    const { effect, rule } = this.decide(caller, id);
    return effect === 'ask' ? { rule } : null;
  }

  /** How often the capability may be called; empty for as often as anybody likes. */
  limits({ descriptor: { id } }: RegisteredCapability): CallLimits {
    return this.settings.inForce?.get(id)?.limits ?? {};
  }

  /**
   * Capabilities that `caller` may execute now, by id. Risk and approval are what holds for the
   * caller, not only what the code says.
   */
  visible(caller: Caller): CapabilityDescriptor[] {
    return this.list(caller).flatMap(({ descriptor }) => {
      const { effect } = this.decide(caller, descriptor.id);
      if (effect === 'deny') return [];
      const risk = this.settings.inForce?.get(descriptor.id)?.risk ?? descriptor.risk;
      return [{ ...descriptor, risk, requiresApproval: effect === 'ask' }];
    });
  }

  /** Modules of which `caller` may execute a method. */
  visibleModules(caller: Caller): ModuleSummary[] {
    const names = new Set(this.visible(caller).map(({ module }) => module));
    const own = names.has(CLIENT_MODULE) ? [CLIENT_MODULE_SUMMARY] : [];
    return [...this.registry.listModules().filter(({ name }) => names.has(name)), ...own];
  }

  /**
   * The capability that a call names; whether `caller` may execute it is the guard's business.
   * @throws StewardError MODULE_NOT_FOUND, METHOD_NOT_FOUND; they suggest visible names only.
   */
  resolve(caller: Caller, module: string, method: string): RegisteredCapability {
    const found = this.find(caller, `${module}.${method}`);
    if (found && found.descriptor.module === module) return found;
    throw this.unknown(caller, module, method, this.hasModule(caller, module));
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

  /** What is registered, and beside it what the caller's run alone has. */
  private find({ clientTools }: Caller, id: string): RegisteredCapability | undefined {
    return this.registry.get(id) ?? (clientTools ? clientToolSet(clientTools).get(id) : undefined);
  }

  private list({ clientTools }: Caller): RegisteredCapability[] {
    const registered = this.registry.list();
    if (!clientTools) return registered;
    return [...registered, ...clientToolSet(clientTools).list()].toSorted((a, b) =>
      a.descriptor.id < b.descriptor.id ? -1 : 1,
    );
  }

  private hasModule({ clientTools }: Caller, name: string): boolean {
    const isClients = name === CLIENT_MODULE && (clientTools?.length ?? 0) > 0;
    return isClients || this.registry.hasModule(name);
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

  private refusal(code: ErrorCode, message: string, caller: Caller, id: string): StewardError {
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
