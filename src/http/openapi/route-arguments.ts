import type { INestApplication, Type } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { PUBLIC_METADATA } from '../../auth/decorators.js';

/** What a route takes, by the classes that validate it, and whether it wants a bearer token. */
export interface RouteArguments {
  query?: Type<object>;
  param?: Type<object>;
  body?: Type<object>;
  isPublic: boolean;
}

const KINDS = [
  ['query', RouteParamtypes.QUERY],
  ['param', RouteParamtypes.PARAM],
  ['body', RouteParamtypes.BODY],
] as const;

/** `Controller_method` → arguments of that route. */
export function routeArguments(app: INestApplication): Map<string, RouteArguments> {
  const found = new Map<string, RouteArguments>();
  for (const { metatype } of app.get(DiscoveryService, { strict: false }).getControllers()) {
    if (typeof metatype !== 'function') continue;
    const controller = metatype as Type<object>;
    const prototype = controller.prototype as object;
    for (const method of new MetadataScanner().getAllMethodNames(prototype)) {
      found.set(`${controller.name}_${method}`, argumentsOf(controller, prototype, method));
    }
  }
  return found;
}

function argumentsOf(controller: Type<object>, prototype: object, method: string): RouteArguments {
  const args = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, method) ?? {}) as Record<
    string,
    { index: number; data?: unknown }
  >;
  const types = (Reflect.getMetadata('design:paramtypes', prototype, method) ??
    []) as Type<object>[];
  const handler: unknown = Reflect.get(prototype, method);
  const isPublic =
    Reflect.getMetadata(PUBLIC_METADATA, controller) === true ||
    (typeof handler === 'function' && Reflect.getMetadata(PUBLIC_METADATA, handler) === true);
  const found: RouteArguments = { isPublic };
  for (const [name, kind] of KINDS) {
    for (const [key, { index, data }] of Object.entries(args)) {
      const type = types[index];
      if (key.startsWith(`${kind}:`) && data === undefined && type && isClass(type)) {
        found[name] = type;
      }
    }
  }
  return found;
}

function isClass(type: Type<object>): boolean {
  const builtIn: unknown[] = [Object, String, Number, Boolean, Array];
  return !builtIn.includes(type);
}
