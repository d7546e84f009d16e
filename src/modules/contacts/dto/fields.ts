import { applyDecorators } from '@nestjs/common';
import { Transform, Type, type ClassConstructor } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsString,
  MaxLength,
  MinLength,
  ValidateBy,
  ValidateIf,
  ValidateNested,
  buildMessage,
} from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';

/** Whether PostgreSQL and JSON can hold the text as it is: no NUL, no half of a surrogate pair. */
function isStorableText(value: string): boolean {
  return !value.includes('\u0000') && !/\p{Surrogate}/u.test(value);
}

/**
 * The member may be missing. Unlike `IsOptional` it does not let null through: to a person null may
 * mean "remove it", and ignoring that would be silent.
 */
export function MayBeAbsent() {
  return ValidateIf((_input: object, value: unknown) => value !== undefined);
}

/** A rule of its own; what is no text is judged by `IsString`. */
export function TextRule(name: string, accepts: (value: string) => boolean, message: string) {
  return (each: boolean) =>
    ValidateBy(
      {
        name,
        validator: {
          validate: (value: unknown) => typeof value !== 'string' || accepts(value),
          defaultMessage: buildMessage((prefix) => `${prefix}$property ${message}`, { each }),
        },
      },
      { each },
    );
}

const NotBlank = TextRule('isNotBlank', (value) => value.trim().length > 0, 'must not be blank');
const Storable = TextRule(
  'isStorableText',
  isStorableText,
  'must not contain NUL characters or broken surrogate pairs',
);

/** Text of `min` to `max` characters; with `min`, blanks alone are too short. */
export function TextField(options: { min?: number; max: number; description?: string }) {
  const { min = 0, max, description } = options;
  return applyDecorators(
    IsString(),
    ...(min > 0 ? [MinLength(min), NotBlank(false)] : []),
    MaxLength(max),
    Storable(false),
    JSONSchema({ type: 'string', ...(description ? { description } : {}) }),
  );
}

/** A list of texts that are not blank. */
export function TextsField(options: { count: number; max: number; description: string }) {
  return applyDecorators(
    IsArray(),
    ArrayMaxSize(options.count),
    IsString({ each: true }),
    NotBlank(true),
    MaxLength(options.max, { each: true }),
    Storable(true),
    JSONSchema({ description: options.description }),
  );
}

/** Id of a contact. Its form is not checked: an unknown one is NOT_FOUND. */
export function ContactIdField() {
  return TextField({
    min: 1,
    max: 64,
    description: 'Id of the contact, as contacts.read gives it.',
  });
}

/**
 * A list of objects of `type`, each of which may be written as plain text. Models write
 * `"amy@example.com"` as often as `{"value":"amy@example.com"}`.
 */
export function EntriesField<T extends object>(
  type: ClassConstructor<T>,
  fromText: (text: string) => T,
  options: { count: number; description: string },
) {
  const read = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map((entry: unknown) => (typeof entry === 'string' ? fromText(entry) : entry))
      : value;
  return applyDecorators(
    IsArray(),
    ArrayMinSize(0),
    ArrayMaxSize(options.count),
    ValidateNested({ each: true }),
    Type(() => type),
    Transform(({ value }: { value: unknown }) => read(value)),
    JSONSchema((schema) => ({
      ...schema,
      // Not `anyOf`: so a fault says what is wrong with the object, not that no branch fits.
      items: { ...schema.items, type: ['string', 'object'] },
      description: options.description,
    })),
  );
}
