import { Type } from 'class-transformer';
import {
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsISO8601,
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
import type { Risk } from '../../tool-router/capability.js';

const RISKS = ['low', 'medium', 'high'] as const;
const MAX_LIMIT = 1_000_000;
const LIMIT = { type: ['integer' as const, 'null' as const], minimum: 1, maximum: MAX_LIMIT };
const isGiven = (_object: object, value: unknown): boolean => value !== null;
const isWritten = (_object: object, value: unknown): boolean =>
  value !== null && value !== undefined;

/** How often a method may be called; null for as often as anybody likes. */
export class CallLimitsRequest {
  @ValidateIf(isWritten)
  @IsInt()
  @Min(1)
  @Max(MAX_LIMIT)
  @JSONSchema(LIMIT)
  callsPerRun?: number | null;

  @ValidateIf(isWritten)
  @IsInt()
  @Min(1)
  @Max(MAX_LIMIT)
  @JSONSchema(LIMIT)
  callsPerMinute?: number | null;

  @ValidateIf(isWritten)
  @IsInt()
  @Min(1)
  @Max(MAX_LIMIT)
  @JSONSchema(LIMIT)
  callsPerUserPerMinute?: number | null;

  @ValidateIf(isWritten)
  @IsInt()
  @Min(1)
  @Max(MAX_LIMIT)
  @JSONSchema(LIMIT)
  callsPerUserPerDay?: number | null;
}

/** A change of what is decided about a capability. */
export class ChangeCapabilityRequest {
  @ValidateIf(isWritten)
  @IsBoolean()
  @JSONSchema({ type: ['boolean', 'null'] })
  enabled?: boolean | null;

  @ValidateIf(isWritten)
  @IsIn(RISKS)
  @JSONSchema({ type: ['string', 'null'], enum: [...RISKS, null] })
  risk?: Risk | null;

  @ValidateIf(isWritten)
  @IsBoolean()
  @JSONSchema({ type: ['boolean', 'null'] })
  requiresApproval?: boolean | null;

  @ValidateIf(isWritten)
  @ValidateNested()
  @Type(() => CallLimitsRequest)
  limits?: CallLimitsRequest | null;
}

export class CapabilitiesQuery {
  /** Capabilities in a page; 50 when absent. */
  @IsOptional()
  @QueryInteger()
  @IsInt()
  @Min(1)
  @Max(200)
  limit?: number;

  @IsOptional()
  @IsString()
  @MaxLength(130)
  cursor?: string;
}

export class CallLimitsDto {
  @IsOptional()
  @IsInt()
  callsPerRun?: number;

  @IsOptional()
  @IsInt()
  callsPerMinute?: number;

  @IsOptional()
  @IsInt()
  callsPerUserPerMinute?: number;

  @IsOptional()
  @IsInt()
  callsPerUserPerDay?: number;
}

/** What the code of a capability says, which holds where nothing was decided. */
export class CapabilityDefaultsDto {
  @IsIn(RISKS)
  risk!: Risk;

  @IsBoolean()
  requiresApproval!: boolean;
}

/** A capability with what holds of it now. */
export class CapabilityDto {
  @IsString()
  id!: string;

  @IsBoolean()
  registered!: boolean;

  @ValidateIf(isGiven)
  @IsString()
  @JSONSchema({ type: ['string', 'null'] })
  description!: string | null;

  @ValidateIf(isGiven)
  @IsIn(['read', 'write'])
  @JSONSchema({ type: ['string', 'null'], enum: ['read', 'write', null] })
  effect!: string | null;

  @IsBoolean()
  enabled!: boolean;

  @ValidateIf(isGiven)
  @IsIn(RISKS)
  @JSONSchema({ type: ['string', 'null'], enum: [...RISKS, null] })
  risk!: Risk | null;

  @IsBoolean()
  requiresApproval!: boolean;

  @ValidateNested()
  @Type(() => CallLimitsDto)
  limits!: CallLimitsDto;

  @ValidateIf(isGiven)
  @ValidateNested()
  @Type(() => CapabilityDefaultsDto)
  defaults!: CapabilityDefaultsDto | null;

  @IsInt()
  version!: number;

  @ValidateIf(isGiven)
  @IsString()
  @JSONSchema({ type: ['string', 'null'] })
  updatedBy!: string | null;

  @ValidateIf(isGiven)
  @IsISO8601()
  @JSONSchema({ type: ['string', 'null'], format: 'date-time' })
  updatedAt!: string | null;
}

/** Capabilities by id. */
export class CapabilitiesDto {
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => CapabilityDto)
  capabilities!: CapabilityDto[];

  @ValidateIf(isGiven)
  @IsString()
  @JSONSchema({ type: ['string', 'null'] })
  nextCursor!: string | null;
}
