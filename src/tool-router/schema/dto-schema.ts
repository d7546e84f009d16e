import type { Type } from '@nestjs/common';
import { defaultMetadataStorage } from 'class-transformer/cjs/storage.js';
import { IS_DATE_STRING, IS_ISO8601, ValidationTypes, getMetadataStorage } from 'class-validator';
import { targetConstructorToSchema } from 'class-validator-jsonschema';
import type { JsonObject } from '../../common/json.js';

/** A class whose decorators do not make a schema; the message names class and member. */
export class DtoSchemaError extends Error {}

const PRIMITIVES = new Map<unknown, JsonObject>([
  [String, { type: 'string' }],
  [Number, { type: 'number' }],
  [Boolean, { type: 'boolean' }],
  [Object, {}],
]);

function hasRules(type: Type<object>): boolean {
  return getMetadataStorage().getTargetValidationMetadatas(type, '', false, false).length > 0;
}

/** Class of a nested member: `@Type(() => X)`, or the type that the compiler wrote down. */
function memberClass(owner: Type<object>, member: string): unknown {
  const declared = defaultMetadataStorage.findTypeMetadata(owner, member);
  if (declared) return declared.typeFunction();
  return Reflect.getMetadata('design:type', owner.prototype as object, member);
}

function nestedSchema(owner: Type<object>, member: string, parents: Type<object>[]): JsonObject {
  const type = memberClass(owner, member);
  const primitive = PRIMITIVES.get(type);
  if (primitive) return { ...primitive };
  if (typeof type !== 'function' || type === Array) {
    throw new DtoSchemaError(`${owner.name}.${member} needs @Type(() => Class) for its schema.`);
  }
  return classSchema(type as Type<object>, parents);
}

function classSchema(type: Type<object>, parents: Type<object>[]): JsonObject {
  if (parents.includes(type)) {
    throw new DtoSchemaError(
      `${type.name} contains itself; a model cannot be shown such a schema.`,
    );
  }
  if (!hasRules(type)) {
    return { type: 'object', properties: {}, additionalProperties: false };
  }
  const nested = (meta: { target: unknown; propertyName: string }): JsonObject =>
    nestedSchema(meta.target as Type<object>, meta.propertyName, [...parents, type]);
  const schema = targetConstructorToSchema(type, {
    classTransformerMetadataStorage: defaultMetadataStorage,
    additionalConverters: {
      [ValidationTypes.NESTED_VALIDATION]: nested,
      // Custom validators say nothing of the type; what stands beside them does.
      [ValidationTypes.CUSTOM_VALIDATION]: () => ({}),
      [ValidationTypes.IS_DEFINED]: () => ({}),
      [IS_DATE_STRING]: () => ({ type: 'string' }),
      [IS_ISO8601]: () => ({ type: 'string' }),
    },
  });
  return { ...(schema as JsonObject), additionalProperties: false };
}

/** True when `type` has class-validator rules; a class without them accepts nothing. */
export function isValidationClass(type: Type<object>): boolean {
  return hasRules(type);
}

/**
 * JSON Schema (draft 2020-12) of a class-validator class, the only source of schemas (PROTOCOL
 * §15). Nested classes stand in place, without `$ref`, and every class refuses unknown keys.
 * @throws DtoSchemaError for nested members without a class, and classes that contain themselves.
 */
export function dtoSchema(type: Type<object>): JsonObject {
  const schema = classSchema(type, []);
  return JSON.parse(JSON.stringify(schema)) as JsonObject;
}
