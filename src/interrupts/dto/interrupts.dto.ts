import { Type } from 'class-transformer';
import {
  IsArray,
  IsIn,
  IsISO8601,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  Min,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import type { JsonObject } from '../../common/json.js';
import { QueryInteger } from '../../common/query-values.js';
import {
  INTERRUPT_KINDS,
  INTERRUPT_STATUSES,
  type InterruptKind,
  type InterruptStatus,
} from '../interrupt.js';

/** A member that is there and may be null. */
const OrNull = (): PropertyDecorator =>
  ValidateIf((_object: object, value: unknown) => value !== null);

/** Query of the list of interrupts. */
export class InterruptsQuery {
  /** Only those of this conversation. */
  @IsOptional()
  @IsString()
  @MaxLength(200)
  threadId?: string;

  /** Only those in this state. */
  @IsOptional()
  @IsIn(INTERRUPT_STATUSES)
  status?: InterruptStatus;

  /** Interrupts in a page; 20 when absent. */
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

/** A call that waits for its person, or did. */
export class InterruptResponse {
  @IsString()
  id!: string;

  /** Whether leave is asked for, or something that the call needs to know. */
  @IsIn(INTERRUPT_KINDS)
  kind!: InterruptKind;

  @IsIn(INTERRUPT_STATUSES)
  status!: InterruptStatus;

  /** Null for a call outside of conversations. */
  @OrNull()
  @IsString()
  @JSONSchema({ type: ['string', 'null'] })
  threadId!: string | null;

  /** Run that waits, to be resumed through POST /agent/runs; null for a call outside of runs. */
  @OrNull()
  @IsString()
  @JSONSchema({ type: ['string', 'null'] })
  runId!: string | null;

  @IsString()
  toolCallId!: string;

  @IsString()
  module!: string;

  @IsString()
  method!: string;

  /** What the method is to be called with: validated, and frozen until it is answered. */
  @IsObject()
  @JSONSchema({ type: 'object' })
  input!: JsonObject;

  /** SHA-256 over the canonical JSON of module, method and input. */
  @IsString()
  inputHash!: string;

  /** Rule that asks; null for a question of a method that needs no leave. */
  @OrNull()
  @IsString()
  @JSONSchema({ type: ['string', 'null'] })
  rule!: string | null;

  @IsString()
  message!: string;

  /** JSON Schema (draft 2020-12) of the payload that resolves it. */
  @IsObject()
  @JSONSchema({ type: 'object' })
  responseSchema!: JsonObject;

  /** What was answered; null before, and where nothing was. */
  @OrNull()
  @IsObject()
  @JSONSchema({ type: ['object', 'null'] })
  response!: JsonObject | null;

  @IsISO8601()
  createdAt!: string;

  @IsISO8601()
  expiresAt!: string;

  /** Null while it waits. */
  @OrNull()
  @IsISO8601()
  @JSONSchema({ type: ['string', 'null'], format: 'date-time' })
  resolvedAt!: string | null;
}

/** A page of interrupts, newest first. */
export class InterruptsResponse {
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => InterruptResponse)
  interrupts!: InterruptResponse[];

  /** Null on the last page. */
  @OrNull()
  @IsString()
  @JSONSchema({ type: ['string', 'null'] })
  nextCursor!: string | null;
}

/** The answer to an interrupt of a call outside of runs. */
export class ResolveInterruptRequest {
  /** `cancelled`: no approval, no answer. */
  @IsIn(['resolved', 'cancelled'])
  status!: 'resolved' | 'cancelled';

  /** What the interrupt's responseSchema says; absent when cancelled. */
  @ValidateIf((_body: object, value: unknown) => value !== undefined)
  @IsObject()
  @JSONSchema({ type: 'object' })
  payload?: JsonObject;
}
