import { Injectable } from '@nestjs/common';
import { CLIENT_MODULE } from '../common/capability-id.js';
import { cloneJson } from './input/clone-json.js';
import { deepFreeze } from './input/deep-freeze.js';
import { InputSchema } from './input/input-schema.js';
import type { CapabilityDescriptor } from './capability.js';
import type {
  CapabilityRegistration,
  ModuleSummary,
  RegisteredCapability,
} from './capability-registration.js';

const NAME = /^[a-z][a-z0-9_]{0,63}$/;

/** A group that cannot be registered; the message says which capability and why. */
export class RegistrationError extends Error {}

interface Group {
  modules: ModuleSummary[];
  ids: string[];
}

/**
 * Every method that exists: the router whitelist (PROTOCOL §1, §15). A provider's capabilities come
 * and go as a group, at once or not at all, and a broken provider changes nothing for others. Names
 * are looked up in maps, so that `__proto__` or `constructor` is a name like any other.
 */
@Injectable()
export class CapabilityRegistry {
  private readonly groups = new Map<string, Group>();
  private readonly modules = new Map<string, ModuleSummary>();
  private readonly capabilities = new Map<string, RegisteredCapability>();

  /**
   * Registers `registrations` under `group`, together with the modules that they belong to.
   * @throws RegistrationError without having changed anything: bad names, ids or modules that are
   * taken, a group that exists, a schema that is none.
   */
  registerGroup(
    group: string,
    registrations: readonly CapabilityRegistration[],
    modules: readonly ModuleSummary[] = [],
  ): void {
    if (this.groups.has(group)) throw new RegistrationError(`Group "${group}" exists already.`);
    this.checkModules(modules);
    const known = new Set(modules.map(({ name }) => name));
    const added = new Map<string, RegisteredCapability>();
    for (const registration of registrations) {
      const { descriptor } = registration;
      this.checkDescriptor(group, descriptor, known);
      if (added.has(descriptor.id)) {
        throw new RegistrationError(`"${descriptor.id}" stands twice in group "${group}".`);
      }
      added.set(descriptor.id, toCapability(registration));
    }
    for (const module of modules) this.modules.set(module.name, module);
    for (const [id, capability] of added) this.capabilities.set(id, capability);
    this.groups.set(group, { modules: [...modules], ids: [...added.keys()] });
  }

  /** Removes a group; calls that run already end as they would. False when there is none. */
  unregisterGroup(group: string): boolean {
    const found = this.groups.get(group);
    if (!found) return false;
    for (const id of found.ids) this.capabilities.delete(id);
    for (const { name } of found.modules) this.modules.delete(name);
    return this.groups.delete(group);
  }

  /** Lets a capability be called or not (`METHOD_DISABLED`). False when there is none. */
  setEnabled(id: string, enabled: boolean): boolean {
    const found = this.capabilities.get(id);
    if (found) this.capabilities.set(id, { ...found, enabled });
    return found !== undefined;
  }

  get(id: string): RegisteredCapability | undefined {
    return this.capabilities.get(id);
  }

  hasModule(name: string): boolean {
    return this.modules.has(name);
  }

  /** Every capability, by id. */
  list(): RegisteredCapability[] {
    return [...this.capabilities.values()].toSorted((a, b) =>
      a.descriptor.id < b.descriptor.id ? -1 : 1,
    );
  }

  /** Every module, by name. */
  listModules(): ModuleSummary[] {
    return [...this.modules.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  }

  private checkModules(modules: readonly ModuleSummary[]): void {
    const names = new Set<string>();
    for (const { name, description } of modules) {
      // The tools of clients are found under that one.
      if (!NAME.test(name) || name === CLIENT_MODULE) {
        throw new RegistrationError(`"${name}" is no name for a module.`);
      }
      if (this.modules.has(name) || names.has(name)) {
        throw new RegistrationError(`Module "${name}" is registered already.`);
      }
      if (description.trim() === '' || /[\r\n]/.test(description)) {
        throw new RegistrationError(`Module "${name}" needs a description of one line.`);
      }
      names.add(name);
    }
  }

  private checkDescriptor(group: string, d: CapabilityDescriptor, modules: Set<string>): void {
    if (!NAME.test(d.method)) {
      throw new RegistrationError(`"${d.method}" is no name for a method of "${d.module}".`);
    }
    if (!modules.has(d.module)) {
      throw new RegistrationError(`Module "${d.module}" does not belong to group "${group}".`);
    }
    if (d.id !== `${d.module}.${d.method}` || d.group !== group) {
      throw new RegistrationError(`"${d.id}" does not agree with its module, method or group.`);
    }
    if (this.capabilities.has(d.id)) {
      throw new RegistrationError(`"${d.id}" is registered already.`);
    }
    if (!(d.timeoutMs > 0)) {
      throw new RegistrationError(`"${d.id}" needs a time limit above 0 ms.`);
    }
  }
}

function toCapability(registration: CapabilityRegistration): RegisteredCapability {
  const { inputSchema: input, outputSchema: output } = registration.descriptor;
  const descriptor = deepFreeze({
    ...registration.descriptor,
    inputSchema: cloneJson(input),
    outputSchema: cloneJson(output),
    examples: registration.descriptor.examples.map(({ title, input: example }) => ({
      title,
      input: cloneJson(example),
    })),
  });
  try {
    const inputSchema = new InputSchema(descriptor.inputSchema);
    return { descriptor, inputSchema, registration, enabled: true };
  } catch (error) {
    throw new RegistrationError(`"${descriptor.id}" has no valid input schema.`, { cause: error });
  }
}
