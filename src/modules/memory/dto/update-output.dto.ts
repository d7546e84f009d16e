import { Type } from 'class-transformer';
import { IsArray, IsIn, IsInt, IsOptional, IsString, Min, ValidateNested } from 'class-validator';
import type { ErrorCode } from '../../../common/error-codes.js';
import { FactView } from './fact-view.dto.js';
import { OPERATIONS, type OperationName } from './update-input.dto.js';

export const CHANGE_STATUSES = [
  'remembered',
  'updated',
  'unchanged',
  'removed',
  'failure',
] as const;
export type ChangeStatus = (typeof CHANGE_STATUSES)[number];

/** Why one operation failed. */
export class MemoryItemError {
  @IsString()
  code!: ErrorCode;

  @IsString()
  message!: string;
}

/** What one operation came to. */
export class MemoryChange {
  @IsInt()
  @Min(0)
  index!: number;

  @IsIn(OPERATIONS)
  operation!: OperationName;

  /** remembered: new. updated: another value held before. unchanged: it was known. */
  @IsIn(CHANGE_STATUSES)
  status!: ChangeStatus;

  @IsOptional()
  @IsString()
  key?: string;

  /** The fact as it is now; absent when it was removed. */
  @IsOptional()
  @ValidateNested()
  @Type(() => FactView)
  fact?: FactView;

  /** What held before and does not any more. */
  @IsArray()
  @IsString({ each: true })
  before!: string[];

  @IsOptional()
  @ValidateNested()
  @Type(() => MemoryItemError)
  error?: MemoryItemError;
}

/** Result of `memory.update`; `count` is how many operations succeeded. */
export class UpdateMemoryOutput {
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => MemoryChange)
  items!: MemoryChange[];

  @IsInt()
  @Min(0)
  count!: number;

  @IsInt()
  @Min(0)
  failed!: number;
}
