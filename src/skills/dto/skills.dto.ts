import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsInt,
  IsString,
  MaxLength,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';

const isGiven = (_object: object, value: unknown): boolean => value !== null;
const NAMES = { type: ['array' as const, 'null' as const], items: { type: 'string' as const } };

/** Which skills models may see. */
export class PutSkillsRequest {
  @ValidateIf(isGiven)
  @IsArray()
  @ArrayMaxSize(256)
  @IsString({ each: true })
  @MaxLength(64, { each: true })
  @JSONSchema(NAMES)
  enabled!: string[] | null;
}

export class SkillDto {
  @IsString()
  name!: string;

  @IsString()
  description!: string;

  @IsBoolean()
  available!: boolean;

  @IsBoolean()
  visible!: boolean;
}

/** The skills of the deployment. */
export class SkillsDto {
  @IsInt()
  version!: number;

  @ValidateIf(isGiven)
  @IsArray()
  @IsString({ each: true })
  @JSONSchema(NAMES)
  enabled!: string[] | null;

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => SkillDto)
  skills!: SkillDto[];
}

/** The skills of one user. */
export class UserSkillsDto {
  @IsString()
  userId!: string;

  @IsInt()
  version!: number;

  @ValidateIf(isGiven)
  @IsArray()
  @IsString({ each: true })
  @JSONSchema(NAMES)
  enabled!: string[] | null;

  @IsArray()
  @IsString({ each: true })
  effective!: string[];
}
