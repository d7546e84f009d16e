import { applyDecorators } from '@nestjs/common';
import { Transform, Type, type ClassConstructor } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsEmail,
  IsString,
  MaxLength,
  MinLength,
  ValidateBy,
  ValidateIf,
  ValidateNested,
  buildMessage,
} from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { canonicalZone, isOffsetDateTime, isPlainDate, zoneFault } from '../rules/zone.js';

/** Whether PostgreSQL and JSON can hold the text as it is: no NUL, no half of a surrogate pair. */
export function isStorableText(value: unknown): boolean {
  return typeof value === 'string' && !value.includes('\u0000') && !/\p{Surrogate}/u.test(value);
}

/**
 * The member may be missing. Unlike `IsOptional` it does not let null through: to a person null may
 * mean "remove it", and ignoring that would be silent.
 */
export function MayBeAbsent() {
  return ValidateIf((_input: object, value: unknown) => value !== undefined);
}

function check(name: string, accepts: (value: unknown) => boolean, message: string) {
  return ValidateBy({
    name,
    validator: {
      validate: accepts,
      defaultMessage: buildMessage((each) => `${each}$property ${message}`),
    },
  });
}

/** Text of `min` to `max` characters; with `min`, blanks alone are too short. */
export function TextField(options: { min?: number; max: number; description?: string }) {
  const { min = 0, max, description } = options;
  return applyDecorators(
    IsString(),
    ...(min > 0
      ? [
          MinLength(min),
          check(
            'isNotBlank',
            (value) => typeof value !== 'string' || value.trim().length > 0,
            'must not be blank',
          ),
        ]
      : []),
    MaxLength(max),
    check(
      'isStorableText',
      (value) => typeof value !== 'string' || isStorableText(value),
      'must not contain NUL characters or broken surrogate pairs',
    ),
    JSONSchema({ type: 'string', ...(description ? { description } : {}) }),
  );
}

/** ISO 8601 date-time with an offset (PROTOCOL §7). */
export function DateTimeField(description: string) {
  return applyDecorators(
    IsString(),
    check(
      'isOffsetDateTime',
      isOffsetDateTime,
      'must be an ISO 8601 date-time with an offset, such as 2026-04-21T10:00:00+08:00',
    ),
    JSONSchema({ type: 'string', format: 'date-time', description }),
  );
}

/** `YYYY-MM-DD`. */
export function DateField(description: string) {
  return applyDecorators(
    IsString(),
    check('isPlainDate', isPlainDate, 'must be a date YYYY-MM-DD, such as 2026-04-21'),
    JSONSchema({ type: 'string', format: 'date', description }),
  );
}

/** IANA time zone; a Windows name is understood too. */
export function TimezoneField(description: string) {
  return applyDecorators(
    IsString(),
    ValidateBy({
      name: 'isIanaZone',
      validator: {
        validate: (value: unknown) => canonicalZone(value) !== null,
        defaultMessage: (facts) =>
          `$property ${zoneFault(facts?.value)} It must be an IANA time zone, such as Asia/Shanghai or Europe/Berlin`,
      },
    }),
    JSONSchema({ type: 'string', description }),
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
