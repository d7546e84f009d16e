import { Type } from 'class-transformer';
import { IsArray, IsIn, IsInt, IsOptional, IsString, Min, ValidateNested } from 'class-validator';
import { CalendarDateRange } from '../../dto/event-view.dto.js';
import { CalendarItemError } from '../../dto/write-output.dto.js';

/** A span of time, with the offset of the answer's zone. */
export class TimeSpan {
  @IsString()
  startAt!: string;

  @IsString()
  endAt!: string;
}

/** Whether a person could be looked at; a failure says neither why nor whether they exist. */
export class PersonOutcome {
  @IsString()
  email!: string;

  @IsOptional()
  @IsString()
  name?: string;

  @IsIn(['success', 'failure'])
  status!: 'success' | 'failure';

  @IsOptional()
  @ValidateNested()
  @Type(() => CalendarItemError)
  error?: CalendarItemError;
}

export class PersonBusy extends PersonOutcome {
  /** When they are busy, in order and merged; nothing about the events. Absent on failure. */
  @IsOptional()
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => TimeSpan)
  busy?: TimeSpan[];
}

class AvailabilityAnswer {
  /** People who could not be looked at. */
  @IsInt()
  @Min(0)
  failed!: number;

  @ValidateNested()
  @Type(() => CalendarDateRange)
  range!: CalendarDateRange;

  @IsString()
  timezone!: string;
}

/** Result of `calendar.free_busy`. */
export class FreeBusyOutput extends AvailabilityAnswer {
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => PersonBusy)
  people!: PersonBusy[];

  /** People whose busy times are here. */
  @IsInt()
  @Min(0)
  count!: number;
}

/** Result of `calendar.find_slot`. */
export class FindSlotOutput extends AvailabilityAnswer {
  /** The earliest, at most `limit`; they do not overlap. */
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => TimeSpan)
  slots!: TimeSpan[];

  /** Slots found. */
  @IsInt()
  @Min(0)
  count!: number;

  /** Who was looked at; a slot says nothing about those with status failure. */
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => PersonOutcome)
  participants!: PersonOutcome[];
}
