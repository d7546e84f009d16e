import { Type } from 'class-transformer';
import {
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { QueryInteger } from '../../common/query-values.js';
import type { JsonObject } from '../../common/json.js';
import { DateTimeField } from '../../common/time/time-fields.js';
import { AUDIT_KINDS, type AuditKind } from '../audit-entry.js';

/** Which entries are meant; filters are joined by "and". */
export class AuditFilterQuery {
  @IsOptional()
  @IsIn(AUDIT_KINDS)
  @JSONSchema({ description: 'Only acts of this kind.' })
  kind?: AuditKind;

  @IsOptional()
  @IsString()
  @MaxLength(300)
  @JSONSchema({ description: 'Only acts of this user, or of `system`.' })
  actor?: string;

  @IsOptional()
  @IsString()
  @MaxLength(300)
  @JSONSchema({ description: 'Only acts on this: a user, a version, `module.method`.' })
  subject?: string;

  @IsOptional()
  @IsString()
  @MaxLength(300)
  @JSONSchema({ description: 'Only what belongs to this run.' })
  runId?: string;

  @IsOptional()
  @DateTimeField('Only from this instant on: ISO 8601 with offset.')
  from?: string;

  @IsOptional()
  @DateTimeField('Only before this instant: ISO 8601 with offset.')
  to?: string;
}

/** Query of a page of the audit. */
export class AuditPageQuery extends AuditFilterQuery {
  @IsOptional()
  @QueryInteger()
  @IsInt({ message: 'must be a whole number' })
  @Min(1)
  @Max(200)
  limit: number = 50;

  @IsOptional()
  @Matches(/^[1-9]\d{0,14}$/, { message: 'must be the nextCursor of a page' })
  cursor?: string;
}

/** Query of an export. */
export class AuditExportQuery extends AuditFilterQuery {
  @IsOptional()
  @QueryInteger()
  @IsInt({ message: 'must be a whole number' })
  @Min(0)
  @JSONSchema({ description: 'Only behind this place in the chain: goes on with an export.' })
  after?: number;
}

/** An entry with its place in the chain. */
export class AuditEntryView {
  @IsInt()
  seq!: number;

  @IsString()
  hash!: string;

  @IsString()
  prevHash!: string;

  @IsBoolean()
  attested!: boolean;

  @IsString()
  id!: string;

  @IsString()
  at!: string;

  @IsIn([...AUDIT_KINDS, 'unreadable'])
  kind!: string;

  @IsOptional()
  @IsObject()
  entry!: JsonObject | null;
}

/** One page of the audit, newest first. */
export class AuditPageView {
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => AuditEntryView)
  items!: AuditEntryView[];

  @IsOptional()
  @IsString()
  nextCursor!: string | null;
}
