import { PartialType } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  Equals,
  IsArray,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Min,
  ValidateNested,
} from 'class-validator';
import type { ErrorCode } from '../../../common/error-codes.js';
import { PERMISSIONS, type Permission } from '../rules/access.js';
import type { ItemFailure } from '../rules/batch.js';
import { EventSummaryView, EventView } from './event-view.dto.js';
import { SCOPES, type Scope } from './recurrence-fields.js';

/** Why one item of a call failed. */
export class CalendarItemError implements ItemFailure {
  @IsString()
  code!: ErrorCode;

  @IsString()
  message!: string;
}

/** An event at whose time another was created. */
export class EventConflict {
  @IsString()
  id!: string;

  @IsString()
  title!: string;

  @IsString()
  startAt!: string;

  @IsString()
  endAt!: string;
}

/** One event of a batch: what was created, or why not. */
export class CreateOutcome extends PartialType(EventSummaryView) {
  @IsInt()
  @Min(0)
  index!: number;

  @IsIn(['success', 'failure'])
  status!: 'success' | 'failure';

  @IsOptional()
  @ValidateNested()
  @Type(() => CalendarItemError)
  error?: CalendarItemError;

  /** Events of the user that it overlaps, the first few; of a series, by its first occurrences. */
  @IsOptional()
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => EventConflict)
  conflicts?: EventConflict[];
}

/** Outcome of creating several events; `count` is how many exist now. */
export interface CreateBatchView {
  items: CreateOutcome[];
  count: number;
  failed: number;
}

/** One event that was created. */
export interface CreatedEventView extends EventView {
  conflicts?: EventConflict[];
}

/** Result of `calendar.create`: the event, or for a batch `items`, `count` and `failed`. */
export class CreateEventsOutput extends PartialType(EventView) {
  /** Events of the user that it overlaps, the first few; of a series, by its first occurrences. */
  @IsOptional()
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => EventConflict)
  conflicts?: EventConflict[];

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

  /** How much of a series it was; absent for a single event. */
  @IsOptional()
  @IsIn(SCOPES)
  scope?: Scope;

  /** People who had accepted and are asked again, because the time changed. */
  @IsOptional()
  @IsArray()
  @IsString({ each: true })
  askedAgain?: string[];

  /** Events of the user that the new time overlaps, the first few. */
  @IsOptional()
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => EventConflict)
  conflicts?: EventConflict[];
}

/** Result of `calendar.delete`: what is gone. */
export class DeleteEventOutput extends EventSummaryView {
  @Equals(true)
  deleted!: true;

  /** How much of a series it was; absent for a single event. */
  @IsOptional()
  @IsIn(SCOPES)
  scope?: Scope;
}

export const SHARE_STATUSES = ['invited', 'updated', 'unchanged', 'withdrawn', 'failed'] as const;
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

  /** How much of a series it was; absent for a single event. */
  @IsOptional()
  @IsIn(SCOPES)
  scope?: Scope;
}
