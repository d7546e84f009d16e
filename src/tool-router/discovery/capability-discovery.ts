import { Injectable, type OnModuleInit, type Type } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import type { InstanceWrapper } from '@nestjs/core/injector/instance-wrapper.js';
import { CapabilityRegistry, RegistrationError } from '../capability-registry.js';
import type { ApprovalDescription, MethodRegistration } from '../capability-registration.js';
import {
  CLI_DESCRIBES_METADATA,
  CLI_METHOD_METADATA,
  CLI_MODULE_METADATA,
  type CliMethodOptions,
  type CliModuleOptions,
} from '../decorators.js';
import { methodRegistration } from './method-registration.js';

/** A decorated provider as Nest made it. */
interface Found {
  type: Type<object>;
  instance: object;
  options: CliModuleOptions;
}

/**
 * Registers every `@CliModule` of the application at boot. Whatever is wrong with one stops the
 * start, with a message that names class and method.
 */
@Injectable()
export class CapabilityDiscovery implements OnModuleInit {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly registry: CapabilityRegistry,
  ) {}

  /** @throws RegistrationError */
  onModuleInit(): void {
    const seen = new Set<Type<object>>();
    for (const wrapper of this.discovery.getProviders()) {
      const found = toFound(wrapper);
      if (!found) continue;
      if (seen.has(found.type)) {
        throw new RegistrationError(`${found.type.name} is provided by two Nest modules.`);
      }
      seen.add(found.type);
      this.register(found);
    }
  }

  private register({ type, instance, options }: Found): void {
    const methods = this.methodsOf(type, instance, options.name);
    if (methods.length === 0) throw new RegistrationError(`${type.name} has no @CliMethod.`);
    try {
      this.registry.registerGroup(options.name, methods, [
        { name: options.name, description: options.description },
      ]);
    } catch (error) {
      if (!(error instanceof RegistrationError)) throw error;
      const places = methods.map((m) => `${m.descriptor.id} by ${type.name}.${m.methodName}`);
      const message = `${type.name}: ${error.message} It registers ${places.join(', ')}.`;
      throw new RegistrationError(message, { cause: error });
    }
  }

  private methodsOf(type: Type<object>, instance: object, module: string): MethodRegistration[] {
    const prototype = type.prototype as object;
    const names = this.scanner.getAllMethodNames(prototype);
    const describes = descriptionsOf(instance, names);
    const methods = names.flatMap((methodName) => {
      const handler: unknown = Reflect.get(prototype, methodName);
      if (typeof handler !== 'function') return [];
      const options = Reflect.getMetadata(CLI_METHOD_METADATA, handler) as
        CliMethodOptions | undefined;
      if (!options) return [];
      const describe = describes.get(options.name);
      return [methodRegistration(instance, type, module, methodName, options, describe)];
    });
    for (const name of describes.keys()) {
      if (methods.some(({ descriptor }) => descriptor.method === name)) continue;
      throw new RegistrationError(`${type.name}: @DescribesCall('${name}') names no method of it.`);
    }
    return methods;
  }
}

/** What `@DescribesCall` marks, by the names of the methods that it describes. */
function descriptionsOf(instance: object, names: string[]): Map<string, ApprovalDescription> {
  const found = new Map<string, ApprovalDescription>();
  for (const key of names) {
    const method: unknown = Reflect.get(instance, key);
    if (typeof method !== 'function') continue;
    const described = Reflect.getMetadata(CLI_DESCRIBES_METADATA, method) as string[] | undefined;
    for (const name of described ?? []) {
      found.set(name, async (input, context) => {
        const text: unknown = await Reflect.apply(method, instance, [input, context]);
        return typeof text === 'string' ? text : null;
      });
    }
  }
  return found;
}

function toFound(wrapper: InstanceWrapper<unknown>): Found | null {
  const { metatype } = wrapper;
  if (typeof metatype !== 'function' || wrapper.isAlias) return null;
  const options = Reflect.getOwnMetadata(CLI_MODULE_METADATA, metatype) as
    CliModuleOptions | undefined;
  if (!options) return null;
  const type = metatype as Type<object>;
  const instance: unknown = wrapper.isDependencyTreeStatic() ? wrapper.instance : null;
  if (typeof instance !== 'object' || instance === null) {
    throw new RegistrationError(`${type.name} must be a singleton, not bound to a request.`);
  }
  return { type, instance, options };
}
