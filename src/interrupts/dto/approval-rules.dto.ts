import { Type } from 'class-transformer';
import {
  IsArray,
  IsISO8601,
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

/** Query of the list of standing approvals. */
export class ApprovalRulesQuery {
  /** Rules in a page; 20 when absent. */
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

/** A method that its user has allowed once and for all. */
export class ApprovalRuleResponse {
  @IsString()
  id!: string;

  /** Profile of the whitelist in which it holds. */
  @IsString()
  profile!: string;

  @IsString()
  module!: string;

  @IsString()
  method!: string;

  /** The rule that asked, as `explain` names it; another rule asks again. */
  @IsString()
  @JSONSchema({ description: 'The rule that asked; another rule asks again.' })
  rule!: string;

  /** Interrupt with whose answer it was given. */
  @IsString()
  interruptId!: string;

  @IsISO8601()
  createdAt!: string;
}

/** A page of standing approvals, newest first. */
export class ApprovalRulesResponse {
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => ApprovalRuleResponse)
  rules!: ApprovalRuleResponse[];

  /** Null on the last page. */
  @ValidateIf((_page: object, value: unknown) => value !== null)
  @IsString()
  @JSONSchema({ type: ['string', 'null'] })
  nextCursor!: string | null;
}
