import { ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  Allow,
  ArrayMaxSize,
  ArrayNotEmpty,
  IsArray,
  IsIn,
  IsOptional,
  IsString,
  Matches,
  MaxLength,
  ValidateNested,
} from 'class-validator';
import type { JsonValue } from '../../../common/json.js';
import { CLIENT_ID_PATTERN } from '../../../threads/thread.js';
import { CLIENT_TOOLS_PROPERTY } from './client-tools.schema.js';

/** Answers of one request; a run asks one thing at a time. */
export const MAX_ANSWERS = 64;

export const INTERRUPT_ID_MAX_LENGTH = 64;

/** The answer to one interrupt: AG-UI's ResumeEntry. */
export class ResumeAnswer {
  /** Id of the interrupt, from RUN_FINISHED or history. */
  @IsString()
  @MaxLength(INTERRUPT_ID_MAX_LENGTH)
  interruptId!: string;

  /** `resolved` with a payload; `cancelled` for no answer, which is a no. */
  @IsIn(['resolved', 'cancelled'])
  status!: 'resolved' | 'cancelled';

  /** What the interrupt's `responseSchema` describes. */
  @Allow()
  payload?: JsonValue;
}

/** What a tool of the client gave. */
export class ToolResultAnswer {
  /** Id of the call, from RUN_FINISHED, the state or history. */
  @IsString()
  @MaxLength(128)
  toolCallId!: string;

  /** What it gave: a text, or any JSON. */
  @Allow()
  content?: JsonValue;

  /** What kept it from that; the call has failed then. An empty text is none. */
  @IsOptional()
  @IsString()
  @MaxLength(2_000)
  error?: string;
}

/** The plain body of `POST /agent/runs` that goes on with a run that waits. */
export class ResumeRunRequest {
  /** The thread whose run waits. */
  @IsString()
  @Matches(CLIENT_ID_PATTERN, { message: 'must be 1 to 128 of A-Z a-z 0-9 . _ ~ : -' })
  threadId!: string;

  /** Answers to everything that it waits for of its person. */
  @IsOptional()
  @IsArray()
  @ArrayNotEmpty()
  @ArrayMaxSize(MAX_ANSWERS)
  @ValidateNested({ each: true })
  @Type(() => ResumeAnswer)
  resume?: ResumeAnswer[];

  /** What the tools of the client gave that it waits for. */
  @IsOptional()
  @IsArray()
  @ArrayNotEmpty()
  @ArrayMaxSize(MAX_ANSWERS)
  @ValidateNested({ each: true })
  @Type(() => ToolResultAnswer)
  toolResults?: ToolResultAnswer[];

  /** Tools of the client from here on; absent: those that it brought before. */
  @ApiPropertyOptional(CLIENT_TOOLS_PROPERTY)
  @Allow()
  tools?: JsonValue;
}
