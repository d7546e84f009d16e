import { IsInt, IsObject, IsOptional, Min } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { BodyBounds } from '../../common/body-bounds.js';
import { MAX_NAMES } from '../policy.js';

const PATTERNS = {
  type: 'array' as const,
  items: { type: 'string' as const },
  description: 'Patterns: *, module.*, *.method, module.method.',
};

const ASK = {
  ...PATTERNS,
  description: 'Patterns of what is allowed, but waits for a person to approve it; grants nothing.',
};

const PROFILES = {
  description: 'What each profile grants.',
  additionalProperties: {
    type: 'object' as const,
    properties: { allow: PATTERNS, deny: PATTERNS, ask: ASK },
    additionalProperties: false,
  },
};

const NARROWING = {
  additionalProperties: {
    type: 'object' as const,
    properties: { deny: PATTERNS, ask: ASK },
    additionalProperties: false,
  },
};

/** A new whitelist (PROTOCOL §14). `version`, when given, must be the one of `If-Match`. */
@BodyBounds({ members: MAX_NAMES, values: 8 * MAX_NAMES })
export class ReplaceWhitelistDto {
  @IsOptional()
  @IsInt()
  @Min(1)
  version?: number;

  @IsObject()
  @JSONSchema(PROFILES)
  profiles!: Record<string, unknown>;

  @IsOptional()
  @IsObject()
  @JSONSchema({ ...NARROWING, description: 'What each role may not do.' })
  roles?: Record<string, unknown>;

  @IsOptional()
  @IsObject()
  @JSONSchema({ ...NARROWING, description: 'What each user (by id) may not do.' })
  users?: Record<string, unknown>;
}

/** The whitelist in force; its version is also the ETag. */
export class WhitelistDto {
  @IsInt()
  version!: number;

  @IsObject()
  @JSONSchema(PROFILES)
  profiles!: Record<string, unknown>;

  @IsObject()
  @JSONSchema(NARROWING)
  roles!: Record<string, unknown>;

  @IsObject()
  @JSONSchema(NARROWING)
  users!: Record<string, unknown>;
}
