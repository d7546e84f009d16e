import { describe, expect, it } from '@jest/globals';
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  Equals,
  IsArray,
  IsBoolean,
  IsDateString,
  IsEmail,
  IsISO8601,
  IsIn,
  IsInt,
  IsNumber,
  IsObject,
  IsString,
  Length,
  Matches,
  Max,
  MaxLength,
  Min,
  MinLength,
  ValidateBy,
  ValidateNested,
  buildMessage,
} from 'class-validator';
import type { JsonObject, JsonValue } from '../../common/json.js';
import { InputSchema } from './input-schema.js';
import { validateByClass } from './class-validation.js';
import { schemaIssues } from './schema-issues.js';

const Odd = () =>
  ValidateBy({
    name: 'isOdd',
    validator: {
      validate: () => false,
      defaultMessage: buildMessage((each) => `${each}$property must be an odd number, such as 3`),
    },
  });
const Plain = () =>
  ValidateBy({
    name: 'isPlain',
    validator: { validate: () => false, defaultMessage: () => '$property must not be blank' },
  });

/** A rule, a value that it refuses, and what it accepts in words. */
const RULES: [string, PropertyDecorator, JsonValue, string][] = [
  ['IsString', IsString(), 1, 'string'],
  ['IsString each', IsString({ each: true }), [1], 'each string'],
  ['IsInt', IsInt(), 1.5, 'integer'],
  ['IsNumber', IsNumber(), 'x', 'number'],
  ['IsBoolean', IsBoolean(), 'x', 'boolean'],
  ['IsArray', IsArray(), 'x', 'array'],
  ['IsObject', IsObject(), 'x', 'object'],
  ['ValidateNested', ValidateNested(), 'x', 'object'],
  ['IsIn', IsIn(['a', 'b']), 'c', 'one of a, b'],
  ['Equals', Equals('everything'), 'c', 'everything'],
  ['Min', Min(1), 0, 'at least 1'],
  ['Max', Max(200), 201, 'at most 200'],
  ['MinLength', MinLength(2), 'a', 'at least 2 characters'],
  ['MaxLength', MaxLength(2), 'abc', 'at most 2 characters'],
  ['MaxLength each', MaxLength(2, { each: true }), ['abc'], 'each at most 2 characters'],
  ['Length', Length(2, 3), 'a', '2 to 3 characters'],
  ['ArrayMinSize', ArrayMinSize(1), [], 'at least 1 items'],
  ['ArrayMaxSize', ArrayMaxSize(1), [1, 2], 'at most 1 items'],
  ['ArrayUnique', ArrayUnique(), [1, 1], 'no item twice'],
  ['IsEmail', IsEmail(), 'x', 'email address, such as amy@example.com'],
  ['IsISO8601', IsISO8601(), 'x', 'ISO 8601 date or date-time'],
  ['IsDateString', IsDateString(), 'x', 'ISO 8601 date or date-time'],
  ['Matches', Matches(/^\d$/, { message: 'must be one digit' }), 'x', 'one digit'],
  ['a rule of its own', Odd(), 2, 'an odd number, such as 3'],
  ['a rule that forbids', Plain(), ' ', 'not blank'],
];

/** A schema of `value`, one that it refuses, and what it accepts in words. */
const SCHEMAS: [JsonObject, JsonValue, string][] = [
  [{ type: 'string' }, 1, 'string'],
  [{ enum: ['a', 'b'] }, 'c', 'a, b'],
  [{ minimum: 1 }, 0, 'at least 1'],
  [{ maximum: 9 }, 10, 'at most 9'],
  [{ exclusiveMinimum: 0 }, 0, 'more than 0'],
  [{ exclusiveMaximum: 9 }, 9, 'less than 9'],
  [{ minLength: 1 }, '', 'at least 1 characters'],
  [{ maxLength: 1 }, 'ab', 'at most 1 characters'],
  [{ minItems: 1 }, [], 'at least 1 items'],
  [{ maxItems: 1 }, [1, 2], 'at most 1 items'],
  [{ minProperties: 1 }, {}, 'at least 1 keys'],
  [{ maxProperties: 0 }, { a: 1 }, 'at most 0 keys'],
  [{ uniqueItems: true }, [1, 1], 'no item twice'],
  [{ const: 'x' }, 'y', '"x"'],
  [{ pattern: '^a$' }, 'b', 'text that matches ^a$'],
  [{ multipleOf: 5 }, 3, 'multiple of 5'],
];

describe('what an issue says is accepted', () => {
  it.each(RULES)('by the class rule %s', async (_name, rule, value, expected) => {
    class Input {
      value: unknown;
    }
    rule(Input.prototype, 'value');
    const { issues } = await validateByClass(Input, { value });
    expect(issues).toEqual([
      {
        path: 'value',
        message: expect.any(String),
        expected,
        received: JSON.stringify(value),
      },
    ]);
  });

  it('by the bounds of the class that says them last', async () => {
    class Parent {
      @Max(10)
      value!: number;
    }
    class Child extends Parent {
      @Max(5)
      declare value: number;
    }
    const { issues } = await validateByClass(Child, { value: 20 });
    expect(issues).toMatchObject([
      { message: expect.stringContaining('5'), expected: 'at most 5' },
    ]);
  });

  it.each(SCHEMAS)('by the schema %j', (schema, value, expected) => {
    const type = { type: 'object', properties: { value: schema } };
    const issues = schemaIssues(new InputSchema(type).faults({ value }));
    expect(issues).toMatchObject([{ path: 'value', expected, received: JSON.stringify(value) }]);
  });

  it('where a key is missing', () => {
    const schema = {
      type: 'object',
      required: ['title', 'people', 'place'],
      properties: {
        title: { type: 'string', minLength: 1, maxLength: 200 },
        people: { type: 'array', items: { type: 'object', properties: { email: {} } } },
        place: { type: 'object', properties: { name: {} } },
      },
    };
    expect(schemaIssues(new InputSchema(schema).faults({}))).toMatchObject([
      { path: 'title', expected: 'string 1..200', received: 'nothing' },
      { path: 'people', expected: 'array of object', received: 'nothing' },
      { path: 'place', expected: 'object', received: 'nothing' },
    ]);
  });
});
