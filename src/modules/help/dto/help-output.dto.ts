import { Type } from 'class-transformer';
import {
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  ValidateNested,
} from 'class-validator';
import type { JsonObject } from '../../../common/json.js';
import type { Effect, Risk } from '../../../tool-router/public.js';

/** A method in a list. */
export class MethodSummaryView {
  @IsString()
  module!: string;

  @IsString()
  method!: string;

  @IsString()
  description!: string;

  @IsIn(['read', 'write'])
  effect!: Effect;

  /** Input keys with their types, in short. */
  @IsObject()
  input!: JsonObject;
}

/** Result of `help.methods`; without `nextCursor` it is the last page. */
export class MethodPageView {
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => MethodSummaryView)
  methods!: MethodSummaryView[];

  @IsInt()
  count!: number;

  @IsOptional()
  @IsString()
  nextCursor?: string;
}

/** A call that works. */
export class ExampleView {
  @IsString()
  title!: string;

  /** The whole call, as project_cli takes it. */
  @IsObject()
  call!: JsonObject;
}

/** Result of `help.describe`. */
export class MethodView {
  @IsString()
  module!: string;

  @IsString()
  method!: string;

  @IsInt()
  version!: number;

  @IsString()
  description!: string;

  @IsIn(['read', 'write'])
  effect!: Effect;

  @IsIn(['low', 'medium', 'high'])
  risk!: Risk;

  @IsBoolean()
  requiresApproval!: boolean;

  /** The input in short. */
  @IsObject()
  input!: JsonObject;

  /** JSON Schema of the input. */
  @IsObject()
  inputSchema!: JsonObject;

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => ExampleView)
  examples!: ExampleView[];
}

/** A method or skill that a search found. */
export class SearchHitView {
  @IsIn(['method', 'skill'])
  kind!: 'method' | 'skill';

  /** `calendar.read`, or the name of a skill. */
  @IsString()
  name!: string;

  @IsString()
  description!: string;
}

/** Result of `help.search`, best first. */
export class SearchResultView {
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => SearchHitView)
  items!: SearchHitView[];

  @IsInt()
  count!: number;
}

/** A skill in a list. */
export class SkillSummaryView {
  @IsString()
  name!: string;

  @IsString()
  description!: string;
}

/** Result of `help.skills`. */
export class SkillListView {
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => SkillSummaryView)
  skills!: SkillSummaryView[];

  @IsInt()
  count!: number;
}

/** Result of `help.skill`. */
export class SkillView extends SkillSummaryView {
  /** The document, Markdown. */
  @IsString()
  content!: string;
}
