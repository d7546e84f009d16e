import { Type } from 'class-transformer';
import {
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Min,
  ValidateNested,
} from 'class-validator';
import {
  PERMISSIONS,
  INVITATION_STATUSES,
  type AttendeeStatus,
  type Permission,
} from '../rules/access.js';

import { REMINDER_METHODS, type ReminderMethod } from '../rules/reminders.js';

export const EVENT_ROLES = ['owner', 'editor', 'viewer'] as const;
export type EventRole = (typeof EVENT_ROLES)[number];

export const MY_STATUSES = ['owner', ...INVITATION_STATUSES] as const;
export type MyStatus = (typeof MY_STATUSES)[number];

export class EventAttendeeView {
  @IsOptional()
  @IsString()
  name?: string;

  @IsOptional()
  @IsString()
  email?: string;

  /** `listed`: no user of the system, so nobody who could answer. */
  @IsIn(['listed', ...INVITATION_STATUSES])
  status!: AttendeeStatus;

  @IsIn(PERMISSIONS)
  permission!: Permission;
}

export class EventOrganizerView {
  @IsOptional()
  @IsString()
  name?: string;

  @IsOptional()
  @IsString()
  email?: string;
}

/** What an event is and when: date-times for a timed one, dates (inclusive) for an all-day one. */
export class EventSummaryView {
  @IsString()
  id!: string;

  @IsString()
  title!: string;

  @IsBoolean()
  allDay!: boolean;

  /** With the offset of the event's zone. */
  @IsOptional()
  @IsString()
  startAt?: string;

  @IsOptional()
  @IsString()
  endAt?: string;

  @IsOptional()
  @IsString()
  startDate?: string;

  @IsOptional()
  @IsString()
  endDate?: string;

  @IsString()
  timezone!: string;

  /** Of an occurrence of a series: the series' id. The occurrence's own `id` names both. */
  @IsOptional()
  @IsString()
  seriesId?: string;

  /** Of an occurrence: its start by the rule, on the clock of the series' zone. */
  @IsOptional()
  @IsString()
  recurrenceId?: string;
}

/** How a series repeats. */
export class EventRecurrenceView {
  @IsOptional()
  @IsString()
  rrule?: string;

  /** Further starts: date-times with the offset of the zone, or dates. */
  @IsOptional()
  @IsArray()
  @IsString({ each: true })
  rdates?: string[];

  /** Starts that are left out. */
  @IsOptional()
  @IsArray()
  @IsString({ each: true })
  exdates?: string[];
}

export class EventReminderView {
  @IsInt()
  @Min(0)
  minutesBefore!: number;

  @IsIn(REMINDER_METHODS)
  method!: ReminderMethod;
}

/** An event as its reader may see it. */
export class EventView extends EventSummaryView {
  /** The same time of day for readers in every zone. */
  @IsOptional()
  @IsBoolean()
  floating?: boolean;

  @IsOptional()
  @ValidateNested()
  @Type(() => EventRecurrenceView)
  recurrence?: EventRecurrenceView;

  /** The occurrence was changed on its own. */
  @IsOptional()
  @IsBoolean()
  overridden?: boolean;

  /** Only the owner sees them. */
  @IsOptional()
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => EventReminderView)
  reminders?: EventReminderView[];

  @IsOptional()
  @IsString()
  location?: string;

  @IsOptional()
  @IsString()
  notes?: string;

  @ValidateNested()
  @Type(() => EventOrganizerView)
  organizer!: EventOrganizerView;

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => EventAttendeeView)
  attendees!: EventAttendeeView[];

  /** What the reader may do: all, change, or look. */
  @IsIn(EVENT_ROLES)
  role!: EventRole;

  /** The reader's own answer. */
  @IsIn(MY_STATUSES)
  myStatus!: MyStatus;

  @IsInt()
  @Min(1)
  version!: number;

  @IsString()
  createdAt!: string;

  @IsString()
  updatedAt!: string;
}

/** Dates, inclusive, in the reader's zone. */
export class CalendarDateRange {
  @IsString()
  from!: string;

  @IsString()
  to!: string;
}

/** One page of events; without `nextCursor` it is the last. */
export class EventPageView {
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => EventView)
  items!: EventView[];

  /** Events on this page. */
  @IsInt()
  @Min(0)
  count!: number;

  @IsOptional()
  @IsString()
  nextCursor?: string;
}

/** Result of `calendar.read`. */
export class ReadEventsOutput extends EventPageView {
  @ValidateNested()
  @Type(() => CalendarDateRange)
  range!: CalendarDateRange;

  /** Zone in which the range's days are meant. */
  @IsString()
  timezone!: string;
}
