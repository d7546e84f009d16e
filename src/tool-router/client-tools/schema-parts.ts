/** Keywords (draft 2020-12) whose value is a schema. */
export const SUBSCHEMAS: readonly string[] = [
  'items',
  'additionalProperties',
  'contains',
  'not',
  'if',
  'then',
  'else',
  'propertyNames',
  'unevaluatedItems',
  'unevaluatedProperties',
];

/** Those whose value is a list of schemas. */
export const LISTS: readonly string[] = ['anyOf', 'oneOf', 'allOf', 'prefixItems'];

/** Those whose value has schemas as its members. */
export const MAPS: readonly string[] = ['properties', 'dependentSchemas'];

/** Those whose members count only where a reference names them. */
export const DEFINITIONS: readonly string[] = ['$defs', 'definitions'];

/** Keywords without schemas in them that are checked, in time linear in the value. */
export const ASSERTIONS: readonly string[] = [
  'type',
  'enum',
  'const',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'minContains',
  'maxContains',
  'required',
  'dependentRequired',
  '$ref',
];

/** Keywords that decide nothing. */
export const ANNOTATIONS: readonly string[] = [
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  '$comment',
];
