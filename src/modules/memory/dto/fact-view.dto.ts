import { Type } from 'class-transformer';
import {
  Equals,
  IsArray,
  IsBoolean,
  IsISO8601,
  IsIn,
  IsInt,
  IsNumber,
  IsOptional,
  IsString,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';
import { END_REASONS, FACT_SOURCES, type EndReason, type FactSource } from '../rules/fact.js';

/** A fact that is remembered. */
export class FactView {
  @IsString()
  id!: string;

  @IsOptional()
  @IsString()
  key?: string;

  @IsString()
  text!: string;

  @IsIn(FACT_SOURCES)
  source!: FactSource;

  /** The run in which it was learned. */
  @IsOptional()
  @IsString()
  runId?: string;

  @IsNumber()
  @Min(0)
  @Max(1)
  confidence!: number;

  @IsInt()
  @Min(1)
  version!: number;

  @IsISO8601()
  createdAt!: string;

  /** When it was last said. */
  @IsISO8601()
  updatedAt!: string;

  @IsOptional()
  @IsISO8601()
  expiresAt?: string;

  /** There when it has expired. */
  @IsOptional()
  @Equals(true)
  expired?: true;

  /** Mode search: its rank, from 0 to 1. */
  @IsOptional()
  @IsNumber()
  score?: number;
}

/** What a fact said before. */
export class EndedFactView {
  /** Id of the fact that said it. */
  @IsString()
  id!: string;

  @IsInt()
  @Min(1)
  version!: number;

  @IsOptional()
  @IsString()
  key?: string;

  @IsString()
  text!: string;

  @IsIn(FACT_SOURCES)
  source!: FactSource;

  @IsOptional()
  @IsString()
  runId?: string;

  @IsNumber()
  confidence!: number;

  @IsISO8601()
  heldFrom!: string;

  @IsISO8601()
  heldUntil!: string;

  @IsIn(END_REASONS)
  reason!: EndReason;
}

/** Result of `memory.read`: facts, and in mode item what was said before, the newest first. */
export class ReadMemoryOutput {
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => FactView)
  items!: FactView[];

  @IsInt()
  @Min(0)
  count!: number;

  @IsOptional()
  @IsString()
  nextCursor?: string;

  @IsOptional()
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => EndedFactView)
  history?: EndedFactView[];
}

/** Everything that is remembered of a person. */
export class MemoryExport {
  @Equals('steward.memory')
  format!: 'steward.memory';

  @Equals(1)
  formatVersion!: 1;

  @IsISO8601()
  exportedAt!: string;

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => FactView)
  facts!: FactView[];

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => EndedFactView)
  history!: EndedFactView[];
}

/** Result of `DELETE /memories`. */
export class EraseMemoriesOutput {
  @Equals(true)
  erased!: true;

  /** Facts that are gone. */
  @IsInt()
  @Min(0)
  count!: number;
}

/** A fact that would be forgotten; once it is, its text is shown no more. */
export class ForgottenFact {
  @IsString()
  id!: string;

  @IsOptional()
  @IsString()
  key?: string;

  @IsOptional()
  @IsString()
  text?: string;
}

/** Result of `memory.forget`. */
export class ForgetOutput {
  /** False: nothing was erased; `items` would be, by the same call with `confirm`. */
  @IsBoolean()
  forgotten!: boolean;

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => ForgottenFact)
  items!: ForgottenFact[];

  @IsInt()
  @Min(0)
  count!: number;

  @IsOptional()
  @IsString()
  confirm?: string;
}
