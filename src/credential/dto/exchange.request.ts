import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsString,
  Length,
  Matches,
  ValidateIf,
} from 'class-validator';
import { PROFILE_PATTERN } from '../exchange-request.js';
import { MAX_SCOPE_PATTERNS, SCOPE_PATTERN } from '../scope.js';

const absent = (_object: unknown, value: unknown) => value !== undefined;

/** Body of `POST /credentials`. */
export class ExchangeCredentialRequest {
  /** Capabilities that it may call: `calendar.*`, `calendar.read`, `*.read`, `*`. */
  @IsArray({ message: 'must be an array' })
  @ArrayMinSize(1, { message: 'must have at least one pattern' })
  @ArrayMaxSize(MAX_SCOPE_PATTERNS, { message: `must have at most ${MAX_SCOPE_PATTERNS} patterns` })
  @Matches(SCOPE_PATTERN, {
    each: true,
    message: 'each must be *, module.*, module.method or *.method',
  })
  scope!: string[];

  /** Whitelist profile; default `chat`. */
  @ValidateIf(absent)
  @IsString({ message: 'must be a string' })
  @Matches(PROFILE_PATTERN, { message: 'must be 1 to 32 of a-z 0-9 _ -' })
  profile?: string;

  /** Thread that the calls belong to; it must be the caller's, or nobody's yet. */
  @ValidateIf(absent)
  @IsString({ message: 'must be a string' })
  @Length(1, 128, { message: 'must have 1 to 128 characters' })
  threadId?: string;
}
