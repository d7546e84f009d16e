import { Type } from 'class-transformer';
import {
  IsArray,
  IsISO8601,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  Min,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { QueryInteger } from '../../common/query-values.js';
import { RUN_STATUSES, type RunStatus } from '../runs/run-state.js';

/** Query of the list of threads. */
export class ThreadsQuery {
  /** Threads in a page; 20 when absent. */
  @IsOptional()
  @QueryInteger()
  @IsInt()
  @Min(1)
  @Max(100)
  limit?: number;

  /** `nextCursor` of the page before. */
  @IsOptional()
  @IsString()
  @MaxLength(400)
  cursor?: string;
}

/** One conversation in the list. */
export class ThreadResponse {
  @IsString()
  threadId!: string;

  /** The beginning of its first message. */
  @IsString()
  title!: string;

  @IsISO8601()
  createdAt!: string;

  @IsISO8601()
  updatedAt!: string;

  /** State of its newest run. */
  @IsOptional()
  @IsIn(RUN_STATUSES)
  lastRunStatus?: RunStatus;
}

/** A page of conversations, most recently used first. */
export class ThreadsResponse {
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => ThreadResponse)
  threads!: ThreadResponse[];

  /** Null on the last page. */
  @ValidateIf((_page: object, value: unknown) => value !== null)
  @IsString()
  @JSONSchema({ type: ['string', 'null'] })
  nextCursor!: string | null;
}
