import { applyDecorators } from '@nestjs/common';
import {
  IsString,
  MaxLength,
  MinLength,
  ValidateBy,
  ValidateIf,
  buildMessage,
} from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { isStorableText } from './storable-text.js';

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

/** Blanks alone are no text. @param each of a list. */
export const NotBlank = TextRule(
  'isNotBlank',
  (value) => value.trim().length > 0,
  'must not be blank',
);

/** @param each of a list. */
export const Storable = TextRule(
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
