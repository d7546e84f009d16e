import type { INestApplication, Type } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';

/** `Controller_method` → name of the DTO class that its whole query is validated by. */
export function queryDtoNames(app: INestApplication): Map<string, string> {
  const found = new Map<string, string>();
  for (const { metatype } of app.get(DiscoveryService, { strict: false }).getControllers()) {
    if (typeof metatype !== 'function') continue;
    for (const method of new MetadataScanner().getAllMethodNames(metatype.prototype as object)) {
      const name = queryDtoName(metatype as Type<unknown>, method);
      if (name) found.set(`${metatype.name}_${method}`, name);
    }
  }
  return found;
}

function queryDtoName(controller: Type<unknown>, method: string): string | null {
  const args = Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, method) as
    Record<string, { index: number; data?: unknown }> | undefined;
  const types = Reflect.getMetadata('design:paramtypes', controller.prototype as object, method) as
    Type<unknown>[] | undefined;
  for (const [key, { index, data }] of Object.entries(args ?? {})) {
    const isWholeQuery = key.startsWith(`${RouteParamtypes.QUERY}:`) && data === undefined;
    if (isWholeQuery) return types?.[index]?.name ?? null;
  }
  return null;
}
