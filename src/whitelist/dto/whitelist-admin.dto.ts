import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsISO8601,
  IsObject,
  IsOptional,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { QueryBoolean, QueryInteger } from '../../common/query-values.js';
import { ERROR_CODES } from '../../common/error-codes.js';
import { DECISION_STEPS } from '../../tool-router/call-decision.js';
import { WhitelistDto } from './whitelist.dto.js';

const EFFECTS = ['allow', 'ask', 'deny'] as const;
const CODES = Object.keys(ERROR_CODES);
const isGiven = (_object: object, value: unknown): boolean => value !== null;

/** Query of a change of the whitelist. */
export class ReplaceWhitelistQuery {
  /** Lets rules in that name modules or methods that are not registered, for modules to come. */
  @IsOptional()
  @QueryBoolean()
  @IsBoolean()
  allowUnknown?: boolean;
}

/** Something in a policy that is accepted, and may not do what was meant. */
export class WhitelistWarning {
  /** Where it stands: `users.usr_01JE…`. */
  @IsString()
  path!: string;

  @IsString()
  message!: string;

  @IsOptional()
  @IsString()
  expected?: string;

  @IsOptional()
  @IsString()
  received?: string;
}

/** The new version. */
export class ReplacedWhitelistDto extends WhitelistDto {
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => WhitelistWarning)
  warnings!: WhitelistWarning[];
}

export class WhitelistVersionsQuery {
  /** Versions in a page; 20 when absent. */
  @IsOptional()
  @QueryInteger()
  @IsInt()
  @Min(1)
  @Max(100)
  limit?: number;

  @IsOptional()
  @Matches(/^[1-9]\d{0,8}$/)
  cursor?: string;
}

/** How many rules came and went with a version. */
export class WhitelistChangesDto {
  @IsInt()
  added!: number;

  @IsInt()
  removed!: number;
}

/** A version of the whitelist in the list. */
export class WhitelistVersionDto {
  @IsInt()
  version!: number;

  @ValidateIf(isGiven)
  @IsString()
  @JSONSchema({ type: ['string', 'null'] })
  createdBy!: string | null;

  @IsISO8601()
  createdAt!: string;

  @ValidateIf(isGiven)
  @IsInt()
  @JSONSchema({ type: ['integer', 'null'] })
  restoredFrom!: number | null;

  @ValidateIf(isGiven)
  @ValidateNested()
  @Type(() => WhitelistChangesDto)
  changes!: WhitelistChangesDto | null;
}

/** Versions, newest first. */
export class WhitelistVersionsDto {
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => WhitelistVersionDto)
  versions!: WhitelistVersionDto[];

  @ValidateIf(isGiven)
  @IsString()
  @JSONSchema({ type: ['string', 'null'] })
  nextCursor!: string | null;
}

/** A version with its policy, as it is stored. */
export class WhitelistVersionDocumentDto extends WhitelistVersionDto {
  @IsObject()
  document!: object;
}

/** Whom and what to explain. */
export class ExplainRequest {
  @IsString()
  @MaxLength(128)
  userId!: string;

  /** `chat` when absent. */
  @IsOptional()
  @IsString()
  @MaxLength(128)
  profile?: string;

  @IsOptional()
  @Matches(/^[A-Za-z0-9_-]{1,64}$/)
  module?: string;

  @IsOptional()
  @Matches(/^[A-Za-z0-9_-]{1,64}$/)
  method?: string;

  @IsOptional()
  @IsArray()
  @ArrayMaxSize(20)
  @IsString({ each: true })
  @MaxLength(128, { each: true })
  roles?: string[];

  @IsOptional()
  @IsArray()
  @ArrayMaxSize(64)
  @IsString({ each: true })
  @MaxLength(130, { each: true })
  scope?: string[];

  @IsOptional()
  @IsObject()
  document?: object;
}

export class DecisionStepDto {
  @IsIn(DECISION_STEPS)
  step!: string;

  @IsIn(EFFECTS)
  effect!: string;

  @IsString()
  rule!: string;
}

export class ExplainedCapability {
  @IsString()
  capability!: string;

  @IsIn(EFFECTS)
  effect!: string;

  @ValidateIf(isGiven)
  @IsIn(CODES)
  @JSONSchema({ type: ['string', 'null'], enum: [...CODES, null] })
  code!: string | null;

  @IsString()
  rule!: string;

  /** Every step, when one method was asked about. */
  @IsOptional()
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => DecisionStepDto)
  steps?: DecisionStepDto[];
}

/** Who may call what, and by which rule. */
export class ExplainResponse {
  @IsString()
  userId!: string;

  @IsString()
  profile!: string;

  @IsArray()
  @IsString({ each: true })
  roles!: string[];

  @IsArray()
  @IsString({ each: true })
  scope!: string[];

  @IsBoolean()
  disabled!: boolean;

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => ExplainedCapability)
  capabilities!: ExplainedCapability[];
}
