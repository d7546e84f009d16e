import { applyDecorators } from '@nestjs/common';
import { Transform, Type, type ClassConstructor } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsEmail,
  IsString,
  MaxLength,
  ValidateNested,
} from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { TextField, TextRule } from '../../../common/text-fields.js';
import { isPlainDate } from '../rules/zone.js';

export { MayBeAbsent, TextField } from '../../../common/text-fields.js';
export { DateTimeField, TimezoneField } from '../../../common/time/time-fields.js';

const PlainDate = TextRule(
  'isPlainDate',
  isPlainDate,
  'must be a date YYYY-MM-DD, such as 2026-04-21',
);

/** `YYYY-MM-DD`. */
export function DateField(description: string) {
  return applyDecorators(
    IsString(),
    PlainDate(false),
    JSONSchema({ type: 'string', format: 'date', description }),
  );
}

/** Address of a person; `MaxLength` is RFC 5321's. */
export function EmailField(description?: string) {
  return applyDecorators(
    IsEmail(),
    MaxLength(254),
    JSONSchema({ type: 'string', format: 'email', ...(description ? { description } : {}) }),
  );
}

/** Id of an event. Its form is not checked: an unknown one is NOT_FOUND. */
export function EventIdField() {
  return TextField({
    min: 1,
    max: 64,
    description:
      'Id of the event, as calendar.read gives it; of an occurrence of a series: evt_…~20261225T090000.',
  });
}

/** A list of objects of `type`, at least `min` and at most `max`. */
export function ListField<T extends object>(
  type: ClassConstructor<T>,
  options: { min: number; max: number; description: string },
) {
  return applyDecorators(
    IsArray(),
    ArrayMinSize(options.min),
    ArrayMaxSize(options.max),
    ValidateNested({ each: true }),
    Type(() => type),
    JSONSchema({ description: options.description }),
  );
}

/**
 * A list of people, each an object of `type` or plain text: `"amy@example.com"` for
 * `{"email":"amy@example.com"}`. Models write lists of people both ways.
 */
export function PeopleField<T extends object>(
  type: ClassConstructor<T>,
  fromText: (text: string) => T,
  options: { min: number; max: number; description: string },
) {
  const read = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map((entry: unknown) => (typeof entry === 'string' ? fromText(entry) : entry))
      : value;
  return applyDecorators(
    ListField(type, options),
    Transform(({ value }: { value: unknown }) => read(value)),
    JSONSchema((schema) => ({
      ...schema,
      // Not `anyOf`: so a fault says what is wrong with the object, not that no branch fits.
      items: { ...schema.items, type: ['string', 'object'] },
      description: options.description,
    })),
  );
}
