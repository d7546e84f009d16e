import { describe, expect, it } from '@jest/globals';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsISO8601,
  IsOptional,
  IsString,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { NoInput } from '../input/no-input.js';
import { compactSchema } from './compact-schema.js';
import { DtoSchemaError, dtoSchema } from './dto-schema.js';

class Person {
  @IsString()
  name!: string;
}

class Base {
  @IsIn(['day', 'range'])
  mode!: string;
}

class Sample extends Base {
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(50)
  limit?: number;

  @IsOptional()
  @IsISO8601()
  @JSONSchema({ format: 'date' })
  date?: string;

  @IsArray()
  @ArrayMaxSize(3)
  @ValidateNested({ each: true })
  @Type(() => Person)
  people!: Person[];

  @IsOptional()
  @ValidateNested()
  @Type(() => Person)
  owner?: Person;

  @IsArray()
  @IsString({ each: true })
  tags!: string[];

  @IsBoolean()
  flag!: boolean;
}

class Node {
  @ValidateNested()
  @Type(() => Node)
  child!: Node;
}

class Untyped {
  @IsArray()
  @ValidateNested({ each: true })
  items!: Person[];
}

describe('dtoSchema', () => {
  it('writes nested classes in place and closes every object', () => {
    const person = {
      type: 'object',
      properties: { name: { type: 'string' } },
      required: ['name'],
      additionalProperties: false,
    };
    const schema = dtoSchema(Sample);
    expect(schema).toMatchObject({
      type: 'object',
      additionalProperties: false,
      properties: {
        mode: { type: 'string', enum: ['day', 'range'] },
        limit: { type: 'integer', minimum: 1, maximum: 50 },
        people: { type: 'array', maxItems: 3, items: person },
        owner: person,
      },
    });
    expect(new Set(schema.required as string[])).toEqual(
      new Set(['people', 'tags', 'flag', 'mode']),
    );
    expect(JSON.stringify(schema)).not.toContain('$ref');
  });

  it('gives a method without parameters a schema that accepts {} alone', () => {
    expect(dtoSchema(NoInput)).toEqual({
      type: 'object',
      properties: {},
      additionalProperties: false,
    });
  });

  it('refuses what has no schema', () => {
    expect(() => dtoSchema(Node)).toThrow(DtoSchemaError);
    expect(() => dtoSchema(Untyped)).toThrow('Untyped.items');
  });
});

describe('compactSchema', () => {
  it('is the short form of seed 000 §8', () => {
    expect(compactSchema(dtoSchema(Sample))).toEqual({
      mode: 'string enum(day|range)',
      limit: 'integer 1..50 optional',
      date: 'string date optional',
      people: [{ name: 'string' }],
      'owner?': { name: 'string' },
      tags: 'array of string',
      flag: 'boolean',
    });
  });
});
