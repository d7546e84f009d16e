import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsIn,
  IsOptional,
  IsString,
  Matches,
  MaxLength,
  MinLength,
  ValidateNested,
} from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import type { JsonValue } from '../../../common/json.js';
import { MayBeAbsent, NotBlank, Storable, TextField } from '../../../common/text-fields.js';
import {
  FIELDS_MAX,
  LABEL_MAX,
  OPTIONS_MAX,
  OPTIONS_MIN,
  OPTION_MAX,
  QUESTION_MAX,
} from '../interaction.limits.js';

export const QUESTION_KINDS = ['choice', 'form', 'text'] as const;
export const FIELD_TYPES = ['string', 'number', 'integer', 'boolean', 'date', 'choice'] as const;

/** One field of a form. */
export class FormField {
  @Matches(/^[a-z][a-z0-9_]{0,39}$/, {
    message: '$property must be a short name in lower case, such as start_date',
  })
  @JSONSchema({ description: 'Key of the field in the answer, such as start_date.' })
  name!: string;

  @TextField({ min: 1, max: LABEL_MAX, description: 'What the person reads beside the field.' })
  label!: string;

  @IsIn(FIELD_TYPES)
  @JSONSchema({ description: 'What may be entered; date is YYYY-MM-DD.' })
  type!: (typeof FIELD_TYPES)[number];

  @IsOptional()
  @IsBoolean()
  @JSONSchema({ description: 'Whether it must be filled in; default true.' })
  required?: boolean;

  @MayBeAbsent()
  @OptionsField('What can be chosen; for type choice only.')
  options?: string[];
}

/** A list of texts that a person chooses from. */
function OptionsField(description: string): PropertyDecorator {
  return (target, key) => {
    const rules = [
      IsArray(),
      ArrayMinSize(OPTIONS_MIN),
      ArrayMaxSize(OPTIONS_MAX),
      ArrayUnique(),
      IsString({ each: true }),
      MinLength(1, { each: true }),
      MaxLength(OPTION_MAX, { each: true }),
      NotBlank(true),
      Storable(true),
      JSONSchema({ description }),
    ];
    for (const rule of rules) rule(target, key as string);
  };
}

/** Input of `interaction.ask`. */
export class AskInput {
  @TextField({ min: 1, max: QUESTION_MAX, description: 'The question, as the person reads it.' })
  question!: string;

  @IsIn(QUESTION_KINDS)
  @JSONSchema({
    description: 'choice: pick from options; form: fill in fields; text: write freely.',
  })
  kind!: (typeof QUESTION_KINDS)[number];

  @MayBeAbsent()
  @OptionsField('What can be chosen; for kind choice only.')
  options?: string[];

  @IsOptional()
  @IsBoolean()
  @JSONSchema({ description: 'Whether several options may be chosen; for kind choice only.' })
  multiple?: boolean;

  @MayBeAbsent()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(FIELDS_MAX)
  @ValidateNested({ each: true })
  @Type(() => FormField)
  @JSONSchema({ description: 'Fields of the form; for kind form only.' })
  fields?: FormField[];
}

/** Result of `interaction.ask`: an answer, or that there is none. */
export class AskOutput {
  /** Text of kind text or choice, list of options where several may be chosen, object of a form. */
  @IsOptional()
  @JSONSchema({
    type: ['string', 'array', 'object'],
    description: 'The text, the option or options chosen, or the fields of the form by name.',
  })
  answer?: JsonValue;

  @IsOptional()
  @IsIn([true])
  @JSONSchema({ description: 'Present when the person did not want to answer.' })
  declined?: true;
}
