import { invalidField } from './invalid-field.js';

/** The field's value. @throws INVALID_ACTION_INPUT when it is absent. */
export function requireField<T extends object, K extends keyof T & string>(
  input: T,
  field: K,
): NonNullable<T[K]> {
  const value = input[field];
  if (value === undefined || value === null) throw invalidField(field, 'is missing.');
  return value;
}

/** Refuses fields that would be ignored: the caller meant something by them. */
export function refuseFields<T extends object>(
  input: T,
  fields: readonly (keyof T & string)[],
  message: string,
): void {
  const found = fields.find((field) => input[field] !== undefined);
  if (found) throw invalidField(found, message);
}

/** @throws INVALID_ACTION_INPUT unless exactly one of `fields` is there. */
export function requireOneOf<T extends object>(
  input: T,
  fields: readonly (keyof T & string)[],
): void {
  const given = fields.filter((field) => input[field] !== undefined);
  if (given.length === 1) return;
  const names = fields.join(', ');
  const [first, second] = given;
  throw second === undefined
    ? invalidField('', `One of ${names} is needed.`, `one of ${names}`)
    : invalidField(second, `does not go with ${first}; give one of them.`, `one of ${names}`);
}
