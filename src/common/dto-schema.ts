import { defaultMetadataStorage } from 'class-transformer/cjs/storage.js';
import {
  targetConstructorToSchema,
  validationMetadatasToSchemas,
} from 'class-validator-jsonschema';
import type { Type } from '@nestjs/common';
import type { JsonObject } from './json.js';

const PREFIX = '#/components/schemas/';

/**
 * JSON Schema of every class with class-validator decorators, by class name, references pointing
 * to `#/components/schemas/`. One source for validation, OpenAPI and capability descriptors.
 */
export function dtoSchemas(): Record<string, JsonObject> {
  const schemas = validationMetadatasToSchemas({
    refPointerPrefix: PREFIX,
    classTransformerMetadataStorage: defaultMetadataStorage,
  });
  return JSON.parse(JSON.stringify(schemas)) as Record<string, JsonObject>;
}

/** The same for one class, with what it inherits; also for one that only inherits. */
export function dtoSchemaOf(type: Type<object>): JsonObject {
  const schema = targetConstructorToSchema(type, {
    refPointerPrefix: PREFIX,
    classTransformerMetadataStorage: defaultMetadataStorage,
  });
  return JSON.parse(JSON.stringify(schema)) as JsonObject;
}

/** Class names that a schema refers to. */
export function referencesOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const own: unknown = Reflect.get(schema, '$ref');
  const name = typeof own === 'string' && own.startsWith(PREFIX) ? [own.slice(PREFIX.length)] : [];
  return [...name, ...Object.values(schema).flatMap(referencesOf)];
}
