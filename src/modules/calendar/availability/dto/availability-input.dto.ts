import { Transform } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsEmail,
  IsInt,
  Matches,
  Max,
  MaxLength,
  Min,
} from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { QueryBoolean, QueryInteger, integerOf } from '../../../../common/query-values.js';
import { DateTimeField, MayBeAbsent, TimezoneField } from '../../dto/fields.js';
import {
  AVAILABILITY_PEOPLE_MAX,
  AVAILABILITY_WINDOW_MAX_DAYS,
  SLOTS_DEFAULT,
  SLOTS_MAX,
  SLOT_DEFAULT_DAYS,
  SLOT_MINUTES_MAX,
} from '../availability.limits.js';

/** Fields that both questions have. */
class AvailabilityFields {
  @MayBeAbsent()
  @TimezoneField("IANA zone of the answer's times. Default: the user's zone.")
  timezone?: string;

  @MayBeAbsent()
  @IsBoolean()
  @JSONSchema({ description: 'True: whole-day events do not count as busy. Default false.' })
  ignore_all_day?: boolean;
}

/** Input of `calendar.free_busy`. */
export class FreeBusyInput extends AvailabilityFields {
  @DateTimeField('From when, ISO 8601 with offset.')
  start_at!: string;

  @DateTimeField(`Until when; at most ${AVAILABILITY_WINDOW_MAX_DAYS} days after start_at.`)
  end_at!: string;

  @MayBeAbsent()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(AVAILABILITY_PEOPLE_MAX)
  @IsEmail({}, { each: true })
  @MaxLength(254, { each: true })
  @JSONSchema({ description: 'Emails of whom to look at. Default: the user alone.' })
  people?: string[];
}

/** Input of `calendar.find_slot`. */
export class FindSlotInput extends AvailabilityFields {
  @IsInt()
  @Min(1)
  @Max(SLOT_MINUTES_MAX)
  @JSONSchema({ description: 'Length of the slot in minutes.' })
  duration_minutes!: number;

  @MayBeAbsent()
  @DateTimeField('Not before this. Default: now.')
  start_at?: string;

  @MayBeAbsent()
  @DateTimeField(
    `Not after this; at most ${AVAILABILITY_WINDOW_MAX_DAYS} days after start_at. Default: ${SLOT_DEFAULT_DAYS} days.`,
  )
  end_at?: string;

  @MayBeAbsent()
  @IsArray()
  @ArrayMaxSize(AVAILABILITY_PEOPLE_MAX)
  @IsEmail({}, { each: true })
  @MaxLength(254, { each: true })
  @JSONSchema({ description: 'Emails of who else must be free. The user always must.' })
  participants?: string[];

  @MayBeAbsent()
  @Matches(/^([01]\d|2[0-3]):[0-5]\d$/)
  @JSONSchema({ description: 'Working hours begin, HH:MM in timezone. Default 09:00.' })
  work_start?: string;

  @MayBeAbsent()
  @Matches(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/)
  @JSONSchema({ description: 'Working hours end, HH:MM or 24:00. Default 18:00.' })
  work_end?: string;

  @MayBeAbsent()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(7)
  @ArrayUnique()
  @IsInt({ each: true })
  @Min(1, { each: true })
  @Max(7, { each: true })
  @JSONSchema({ description: 'Working days, 1 Monday to 7 Sunday. Default 1 to 5.' })
  work_days?: number[];

  @MayBeAbsent()
  @IsInt()
  @Min(1)
  @Max(SLOTS_MAX)
  @JSONSchema({ description: `How many slots to propose. Default ${SLOTS_DEFAULT}.` })
  limit?: number;
}

const toList = ({ value }: { value: unknown }): unknown =>
  typeof value === 'string' ? value.split(',').map((part) => part.trim()) : value;

/** Query of the REST twin; `people` separated by commas. */
export class FreeBusyQuery extends FreeBusyInput {
  @Transform(toList)
  declare people?: string[];

  @QueryBoolean()
  declare ignore_all_day?: boolean;
}

/** Query of the REST twin; lists are separated by commas. */
export class FindSlotQuery extends FindSlotInput {
  @QueryInteger()
  declare duration_minutes: number;

  @QueryInteger()
  declare limit?: number;

  @Transform(toList)
  declare participants?: string[];

  @Transform((field) => {
    const list = toList(field);
    return Array.isArray(list) ? list.map(integerOf) : list;
  })
  declare work_days?: number[];

  @QueryBoolean()
  declare ignore_all_day?: boolean;
}
