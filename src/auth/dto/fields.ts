import { Transform } from 'class-transformer';
import {
  IsEmail,
  IsString,
  Length,
  Matches,
  MaxLength,
  ValidateBy,
  ValidateIf,
} from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { applyDecorators } from '@nestjs/common';
import { normalizeEmail } from '../email.js';
import { toIanaZone } from '../iana-zone.js';

/** RFC 5321 §4.5.3.1.3, less the angle brackets. */
const LONGEST_EMAIL = 254;
export const SHORTEST_PASSWORD = 10;
export const LONGEST_PASSWORD = 256;

/** No control characters, line separators or halves of characters. */
const PRINTABLE = /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]*$/u;
/** No white space, quotes or invisible characters, which RFC 5321 would let a quoted part have. */
const PLAIN_ADDRESS = /^[^\s"\p{Cc}\p{Cf}\p{Cs}]*$/u;
/** Without U+0000 or halves of characters, which would be hashed as something else. */
const WHOLE_TEXT = /^[^\0\p{Cs}]*$/u;

/** The member may be left out; null is not the same and is refused. */
export const MayBeAbsent = (): PropertyDecorator =>
  ValidateIf((_object, value: unknown) => value !== undefined);

/** An email address in any spelling; it arrives normalised. */
export const EmailField = (): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' && value.length <= 4 * LONGEST_EMAIL
        ? normalizeEmail(value)
        : value,
    ),
    IsEmail({}, { message: 'must be an email address such as amy@example.com' }),
    Matches(PLAIN_ADDRESS, { message: 'must not contain spaces, quotes or invisible characters' }),
    MaxLength(LONGEST_EMAIL, { message: `must have at most ${LONGEST_EMAIL} characters` }),
  );

/** A password of a new account: long enough to resist guessing, any characters. */
export const NewPasswordField = (): PropertyDecorator =>
  applyDecorators(
    IsString({ message: 'must be a string' }),
    Length(SHORTEST_PASSWORD, LONGEST_PASSWORD, {
      message: `must have ${SHORTEST_PASSWORD} to ${LONGEST_PASSWORD} characters; any are allowed, a sentence is a good one`,
    }),
    Matches(WHOLE_TEXT, { message: 'must not contain the NUL character or broken Unicode' }),
    JSONSchema({ format: 'password' }),
  );

/** A name that a person reads; trimmed. */
export const DisplayNameField = (): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' ? value.trim() : value,
    ),
    IsString({ message: 'must be a string' }),
    Length(1, 100, { message: 'must have 1 to 100 characters' }),
    Matches(PRINTABLE, { message: 'must not contain control characters or line breaks' }),
  );

/** An IANA time zone; it arrives in its usual spelling. */
export const TimezoneField = (): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' ? (toIanaZone(value) ?? value) : value,
    ),
    IsString({ message: 'must be a string' }),
    ValidateBy(
      {
        name: 'isIanaZone',
        validator: { validate: (value) => typeof value === 'string' && toIanaZone(value) !== null },
      },
      { message: 'must be an IANA time zone such as Asia/Shanghai, Europe/Berlin or UTC' },
    ),
    JSONSchema({ examples: ['Asia/Shanghai', 'UTC'] }),
  );

/** A language tag (BCP 47); the nearest of the spoken locales is kept. */
export const LocaleField = (): PropertyDecorator =>
  applyDecorators(
    IsString({ message: 'must be a string' }),
    Matches(/^[A-Za-z]{2,8}([-_][A-Za-z0-9]{1,8}){0,4}$/, {
      message: 'must be a language tag such as zh-CN or en',
    }),
  );
