import { PartialType } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  Equals,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Min,
  ValidateNested,
} from 'class-validator';
import type { ErrorCode } from '../../../common/error-codes.js';
import {
  PERMISSIONS,
  INVITATION_STATUSES,
  type AttendeeStatus,
  type Permission,
} from '../rules/access.js';
import type { ItemFailure } from '../rules/batch.js';

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
}

/** An event as its reader may see it. */
export class EventView extends EventSummaryView {
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

export class CalendarItemError implements ItemFailure {
  @IsString()
  code!: ErrorCode;

  @IsString()
  message!: string;
}

/** One event of a batch: what was created, or why not. */
export class CreateOutcome {
  @IsInt()
  @Min(0)
  index!: number;

  @IsIn(['success', 'failure'])
  status!: 'success' | 'failure';

  @IsOptional()
  @IsString()
  id?: string;

  @IsString()
  title!: string;

  @IsOptional()
  @IsBoolean()
  allDay?: boolean;

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

  @IsOptional()
  @ValidateNested()
  @Type(() => CalendarItemError)
  error?: CalendarItemError;
}

/** Outcome of creating several events; `count` is how many exist now. */
export interface CreateBatchView {
  items: CreateOutcome[];
  count: number;
  failed: number;
}

/** Result of `calendar.create`: the event, or for a batch `items`, `count` and `failed`. */
export class CreateEventsOutput extends PartialType(EventView) {
  @IsOptional()
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => CreateOutcome)
  items?: CreateOutcome[];

  @IsOptional()
  @IsInt()
  @Min(0)
  count?: number;

  @IsOptional()
  @IsInt()
  @Min(0)
  failed?: number;
}

/** One fact that changed; an absent side means that there was or is none. */
export class FieldChange {
  @IsString()
  field!: string;

  @IsOptional()
  @IsString()
  before?: string;

  @IsOptional()
  @IsString()
  after?: string;
}

/** Result of `calendar.update`: the event as it is now, and what is different. */
export class UpdateEventOutput extends EventView {
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => FieldChange)
  changes!: FieldChange[];
}

/** Result of `calendar.delete`: what is gone. */
export class DeleteEventOutput extends EventSummaryView {
  @Equals(true)
  deleted!: true;
}

export const SHARE_STATUSES = ['invited', 'updated', 'unchanged', 'failed'] as const;
export type ShareStatus = (typeof SHARE_STATUSES)[number];

/** What sharing with one person came to. */
export class ShareOutcome {
  @IsString()
  email!: string;

  @IsOptional()
  @IsString()
  name?: string;

  @IsIn(SHARE_STATUSES)
  status!: ShareStatus;

  @IsOptional()
  @IsIn(PERMISSIONS)
  permission?: Permission;

  @IsOptional()
  @ValidateNested()
  @Type(() => CalendarItemError)
  error?: CalendarItemError;
}

/** Result of `calendar.share`; `count` is how many of the targets have access or an invitation. */
export class ShareEventOutput extends EventSummaryView {
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => ShareOutcome)
  targets!: ShareOutcome[];

  @IsInt()
  @Min(0)
  count!: number;

  @IsInt()
  @Min(0)
  failed!: number;
}

/** Result of accepting or rejecting an invitation. */
export class InvitationAnswerOutput extends EventSummaryView {
  @IsIn(['accepted', 'rejected'])
  status!: 'accepted' | 'rejected';

  @IsIn(PERMISSIONS)
  permission!: Permission;
}
