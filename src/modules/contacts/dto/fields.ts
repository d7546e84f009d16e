import { applyDecorators } from '@nestjs/common';
import { Transform, Type, type ClassConstructor } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsString,
  MaxLength,
  ValidateNested,
} from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { NotBlank, Storable, TextField } from '../../../common/text-fields.js';

export { MayBeAbsent, TextField, TextRule } from '../../../common/text-fields.js';

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
