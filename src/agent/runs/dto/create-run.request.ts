import { ApiPropertyOptional } from '@nestjs/swagger';
import {
  Allow,
  ArrayMaxSize,
  ArrayUnique,
  IsArray,
  IsOptional,
  IsString,
  Length,
  Matches,
  MaxLength,
} from 'class-validator';
import type { JsonValue } from '../../../common/json.js';
import { PROFILE_PATTERN } from '../../../credential/exchange-request.js';
import { CLIENT_ID_PATTERN } from '../../../threads/thread.js';
import { CLIENT_TOOLS_PROPERTY } from './client-tools.schema.js';

/** Characters of one message. */
export const MESSAGE_MAX_LENGTH = 16_000;

export const MAX_SKILLS = 64;

/** Files of one message. */
export const MAX_ATTACHMENTS = 10;

/** The plain body of `POST /agent/runs` (PROTOCOL §11). */
export class CreateRunRequest {
  /** What the person says. */
  @IsString()
  @Length(1, MESSAGE_MAX_LENGTH)
  @Matches(/\S/, { message: 'must not be blank' })
  @Matches(/^[^\0]*$/, { message: 'must not contain NUL' })
  message!: string;

  /** The thread to go on with, or an id of the client's own making; absent for a new thread. */
  @IsOptional()
  @IsString()
  @Matches(CLIENT_ID_PATTERN, { message: 'must be 1 to 128 of A-Z a-z 0-9 . _ ~ : -' })
  threadId?: string;

  /** Ids of attachments that were uploaded before; those of a conversation stay in it. */
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(MAX_ATTACHMENTS)
  @ArrayUnique()
  @IsString({ each: true })
  @MaxLength(64, { each: true })
  attachments?: string[];

  /** Names of the skills that the model may see; absent for all that are enabled. */
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(MAX_SKILLS)
  @IsString({ each: true })
  @MaxLength(64, { each: true })
  enabledSkills?: string[];

  /** Tools of the client that the agent may call in this run (AG-UI's Tool). */
  @ApiPropertyOptional(CLIENT_TOOLS_PROPERTY)
  @Allow()
  tools?: JsonValue;

  /** Whitelist profile under which the run's calls are decided; `chat` when absent. */
  @IsOptional()
  @IsString()
  @Matches(PROFILE_PATTERN, { message: 'must be 1 to 32 of a-z 0-9 _ -' })
  profile?: string;
}
