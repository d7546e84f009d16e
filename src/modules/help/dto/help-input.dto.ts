import { IsInt, IsOptional, IsString, Length, Max, Min } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';

const PAGE_MAX = 100;

/** Input of `help.methods`. */
export class ListMethodsInput {
  @IsOptional()
  @IsString()
  @Length(1, 64)
  @JSONSchema({ description: 'Only the methods of this module.' })
  module?: string;

  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(PAGE_MAX)
  @JSONSchema({ description: `Methods on a page, at most ${PAGE_MAX}; default 50.` })
  limit?: number;

  @IsOptional()
  @IsString()
  @Length(1, 130)
  @JSONSchema({ description: 'nextCursor of the page before.' })
  cursor?: string;
}

/** Input of `help.describe`. */
export class DescribeMethodInput {
  @IsString()
  @Length(1, 64)
  module!: string;

  @IsString()
  @Length(1, 64)
  method!: string;
}

/** Input of `help.search`. */
export class SearchInput {
  @IsString()
  @Length(1, 200)
  @JSONSchema({ description: 'What you want to do, in a few words.' })
  query!: string;

  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(20)
  @JSONSchema({ description: 'Hits, at most 20; default 8.' })
  limit?: number;
}

/** Input of `help.skill`. */
export class ReadSkillInput {
  @IsString()
  @Length(1, 64)
  @JSONSchema({ description: 'Name of a skill, as help.skills lists it.' })
  name!: string;
}
