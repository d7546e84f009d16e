import { applyDecorators } from '@nestjs/common';
import {
  IsNumber,
  IsString,
  Max,
  MaxLength,
  Min,
  MinLength,
  ValidateBy,
  ValidateIf,
  buildMessage,
} from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { Temporal } from 'temporal-polyfill';
import { KEY_MAX } from '../memory.limits.js';
import { normalKey } from '../rules/normal.js';

const OFFSET_DATE_TIME =
  /^(19[7-9]\d|2\d{3})-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/;

/** The member may be missing, but null is not the same as missing. */
export function MayBeAbsent() {
  return ValidateIf((_input: object, value: unknown) => value !== undefined);
}

function check(name: string, accepts: (value: string) => boolean, message: string) {
  return ValidateBy({
    name,
    validator: {
      // What is no text is IsString's to refuse.
      validate: (value: unknown) => typeof value !== 'string' || accepts(value),
      defaultMessage: buildMessage((each) => `${each}$property ${message}`),
    },
  });
}

/** Text of 1 to `max` characters, not blank, that PostgreSQL and JSON can hold as it is. */
export function TextField(options: { max: number; description: string }) {
  return applyDecorators(
    IsString(),
    MinLength(1),
    MaxLength(options.max),
    check('isNotBlank', (value) => value.trim().length > 0, 'must not be blank'),
    check(
      'isStorableText',
      (value) => !value.includes('\u0000') && !/\p{Surrogate}/u.test(value),
      'must not contain NUL characters or broken surrogate pairs',
    ),
    JSONSchema({ type: 'string', description: options.description }),
  );
}

/** A key; `removable` also takes '', which removes it. */
export function KeyField(description: string, removable = false) {
  return applyDecorators(
    IsString(),
    check(
      'isMemoryKey',
      (value) => (removable && value === '') || normalKey(value) !== null,
      `must be a short name of letters, digits, . _ and -, at most ${KEY_MAX} characters, such as preference.drink`,
    ),
    JSONSchema({ type: 'string', description }),
  );
}

/** ISO 8601 date-time with an offset (PROTOCOL §7); '' for none. */
export function ExpiryField() {
  return applyDecorators(
    IsString(),
    check(
      'isExpiry',
      (value) => value === '' || isOffsetDateTime(value),
      'must be an ISO 8601 date-time with an offset, such as 2026-04-21T10:00:00+08:00, or empty for never',
    ),
    JSONSchema({
      type: 'string',
      description:
        'From when on the fact does not hold any more, ISO 8601 with offset. Empty: it never expires.',
    }),
  );
}

function isOffsetDateTime(value: string): boolean {
  if (!OFFSET_DATE_TIME.test(value)) return false;
  try {
    Temporal.Instant.from(value);
    return true;
  } catch {
    return false;
  }
}

export function ConfidenceField() {
  return applyDecorators(
    IsNumber({ allowNaN: false, allowInfinity: false }),
    Min(0),
    Max(1),
    JSONSchema({
      description:
        'How sure it is, from 0 to 1. Default: 1 for user_said, 0.8 for imported, 0.6 for agent_inferred.',
    }),
  );
}

/** Id of a fact. Its form is not checked: an unknown one is NOT_FOUND. */
export function FactIdField() {
  return TextField({ max: 64, description: 'Id of the fact, as memory.read gives it.' });
}
