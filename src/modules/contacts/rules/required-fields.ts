import { invalidField } from '../contacts.errors.js';

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
