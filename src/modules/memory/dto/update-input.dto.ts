import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsIn,
  IsInt,
  Min,
  ValidateNested,
} from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { BATCH_MAX, TEXT_MAX } from '../memory.limits.js';
import { FACT_SOURCES, type FactSource } from '../rules/fact.js';
import {
  ConfidenceField,
  ExpiryField,
  FactIdField,
  KeyField,
  MayBeAbsent,
  TextField,
} from './fields.js';

export const OPERATIONS = ['set', 'append', 'remove'] as const;
export type OperationName = (typeof OPERATIONS)[number];

const KEY_HELP =
  'What the fact is about, such as preference.drink or project.atlas.owner. Keys under profile. and preference. are always told to the assistant.';

/** What a fact says, and how it is known. */
export class FactFields {
  @MayBeAbsent()
  @KeyField(KEY_HELP)
  key?: string;

  @MayBeAbsent()
  @TextField({ min: 1, max: TEXT_MAX, description: 'The fact, as a short sentence or value.' })
  text?: string;

  @MayBeAbsent()
  @IsIn(FACT_SOURCES)
  @JSONSchema({
    description: 'user_said: the person said so. agent_inferred: you conclude it. imported.',
  })
  source?: FactSource;

  @MayBeAbsent()
  @ConfidenceField()
  confidence?: number;

  @MayBeAbsent()
  @ExpiryField()
  expires_at?: string;
}

/** One change of the memory. */
export class MemoryOperation extends FactFields {
  @MayBeAbsent()
  @IsIn(OPERATIONS)
  @JSONSchema({
    description:
      'set (default): the key now has this value, and its other values are superseded; without key, the text is remembered. append: adds to the list of the key. remove: by fact_id, by key, by key and text, or by the very text.',
  })
  operation?: OperationName;

  @MayBeAbsent()
  @FactIdField()
  fact_id?: string;
}

/** Input of `memory.update`: one change by its fields, or several as `operations`. */
export class UpdateMemoryInput extends MemoryOperation {
  @MayBeAbsent()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(BATCH_MAX)
  @ValidateNested({ each: true })
  @Type(() => MemoryOperation)
  @JSONSchema({
    description: `Up to ${BATCH_MAX} changes at once, instead of the other fields. One that fails does not stop the others.`,
  })
  operations?: MemoryOperation[];
}

/** Body of `POST /memories`. */
export class RememberBody extends FactFields {
  @TextField({ min: 1, max: TEXT_MAX, description: 'The fact, as a short sentence or value.' })
  declare text: string;

  @MayBeAbsent()
  @IsIn(['set', 'append'])
  @JSONSchema({ description: 'As in memory.update. Default set.' })
  operation?: 'set' | 'append';
}

/** Body of `PATCH /memories/{fact_id}`: the given fields change. */
export class FactCorrection {
  @MayBeAbsent()
  @KeyField(`${KEY_HELP} Empty removes the key.`, true)
  key?: string;

  @MayBeAbsent()
  @TextField({ min: 1, max: TEXT_MAX, description: 'What is right.' })
  text?: string;

  @MayBeAbsent()
  @ConfidenceField()
  confidence?: number;

  @MayBeAbsent()
  @ExpiryField()
  expires_at?: string;

  @MayBeAbsent()
  @IsInt()
  @Min(1)
  @JSONSchema({
    description: 'Version that the change is based on; CONFLICT when the fact has another.',
  })
  expected_version?: number;
}

/** Path of a fact. */
export class FactIdInput {
  @FactIdField()
  fact_id!: string;
}
