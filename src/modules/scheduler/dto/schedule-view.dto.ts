import { Type } from 'class-transformer';
import {
  Equals,
  IsArray,
  IsBoolean,
  IsISO8601,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Min,
  ValidateNested,
} from 'class-validator';
import { FIRING_STATUSES, SKIP_REASONS, type FiringStatus, type SkipReason } from '../firing.js';
import { MISSED_POLICIES, type MissedPolicy } from '../rules/firing-plan.js';
import { TASK_STATUSES, type TaskStatus } from '../scheduled-task.js';

/** A scheduled task in a list. */
export class ScheduleItem {
  @IsString()
  id!: string;

  @IsString()
  title!: string;

  @IsString()
  prompt!: string;

  @IsIn(TASK_STATUSES)
  status!: TaskStatus;

  @IsOptional()
  @IsString()
  cron?: string;

  @IsOptional()
  @IsString()
  rrule?: string;

  @IsString()
  timezone!: string;

  @IsISO8601()
  startAt!: string;

  @IsOptional()
  @IsISO8601()
  endAt?: string;

  @IsIn(MISSED_POLICIES)
  missed!: MissedPolicy;

  @IsBoolean()
  enabled!: boolean;

  @Equals('automation')
  profile!: 'automation';

  @IsOptional()
  @IsISO8601()
  nextAt?: string;

  @IsString()
  threadId!: string;

  @IsISO8601()
  createdAt!: string;

  @IsISO8601()
  updatedAt!: string;
}

/** A scheduled task. */
export class ScheduleView extends ScheduleItem {
  @IsArray()
  @IsString({ each: true })
  next!: string[];
}

/** A page of tasks, the newest first. */
export class ListSchedulesOutput {
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => ScheduleItem)
  items!: ScheduleItem[];

  @IsInt()
  @Min(0)
  count!: number;

  @IsOptional()
  @IsString()
  nextCursor?: string;
}

/** What was cancelled. */
export class CancelScheduleOutput {
  @IsString()
  id!: string;

  @IsString()
  title!: string;

  @Equals(true)
  cancelled!: true;
}

/** What became of one time of a task. */
export class FiringView {
  @IsISO8601()
  dueAt!: string;

  @IsIn(FIRING_STATUSES)
  status!: FiringStatus;

  @IsOptional()
  @Equals(true)
  missed?: true;

  @IsOptional()
  @IsIn(SKIP_REASONS)
  reason?: SkipReason;

  @IsOptional()
  @IsISO8601()
  startedAt?: string;

  @IsOptional()
  @IsString()
  runId?: string;

  @IsOptional()
  @IsString()
  threadId?: string;

  @IsOptional()
  @IsString()
  outcome?: string;

  @IsOptional()
  @IsString()
  errorCode?: string;
}

/** A page of the history of a task, the newest first. */
export class FiringListOutput {
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => FiringView)
  items!: FiringView[];

  @IsInt()
  @Min(0)
  count!: number;

  @IsOptional()
  @IsString()
  nextCursor?: string;
}
