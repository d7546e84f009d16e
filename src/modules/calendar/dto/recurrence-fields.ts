import { applyDecorators } from '@nestjs/common';
import { Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsIn,
  IsInt,
  IsString,
  Max,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { OCCURRENCES_MAX, REMINDERS_MAX, REMINDER_MINUTES_MAX } from '../calendar.limits.js';
import { REMINDER_METHODS, type ReminderMethod } from '../rules/reminders.js';
import { MayBeAbsent } from './fields.js';

export const SCOPES = ['this', 'this_and_following', 'all'] as const;
/** How far an edit of a series reaches. */
export type Scope = (typeof SCOPES)[number];

/** Longest text that names an occurrence: a date-time with offset. */
const WALL_TEXT_MAX = 40;

/** Occurrences of a series, named by their start. */
export function OccurrencesField(description: string) {
  return applyDecorators(
    IsArray(),
    ArrayMaxSize(OCCURRENCES_MAX),
    IsString({ each: true }),
    MaxLength(WALL_TEXT_MAX, { each: true }),
    JSONSchema({ description }),
  );
}

export class ReminderInput {
  @IsInt()
  @Min(0)
  @Max(REMINDER_MINUTES_MAX)
  minutes_before!: number;

  @MayBeAbsent()
  @IsIn(REMINDER_METHODS)
  method?: ReminderMethod;

  static fromMinutes(minutes: number): ReminderInput {
    return Object.assign(new ReminderInput(), { minutes_before: minutes });
  }
}

/** Reminders as objects, or as bare minutes. */
export function RemindersField() {
  const description = `Reminders: {minutes_before, method}, or minutes alone (10 for ten minutes before). At most ${REMINDERS_MAX}; an empty list removes them.`;
  const read = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map((entry: unknown) =>
          typeof entry === 'number' ? ReminderInput.fromMinutes(entry) : entry,
        )
      : value;
  return applyDecorators(
    IsArray(),
    ArrayMaxSize(REMINDERS_MAX),
    ValidateNested({ each: true }),
    Type(() => ReminderInput),
    Transform(({ value }: { value: unknown }) => read(value)),
    JSONSchema((schema) => ({
      ...schema,
      items: { ...schema.items, type: ['integer', 'object'] },
      description,
    })),
  );
}

/** Which occurrences an edit reaches. */
export function ScopeField(description: string) {
  return applyDecorators(IsIn(SCOPES), JSONSchema({ description }));
}
