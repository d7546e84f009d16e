import type { Type } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { validate, type ValidationError } from 'class-validator';
import { expectedBy } from '../../common/constraint-words.js';
import type { JsonObject } from '../../common/json.js';
import type { InputIssue } from '../../common/steward-error.js';
import { shortValue } from './short-value.js';

/** Rule of class-validator for keys that the class does not have; the schema names those better. */
const UNKNOWN_KEY_RULE = 'whitelistValidation';

/** The rule's message as a sentence; the name of a field keeps its letters. */
function sentence(message: string, field: string): string {
  const begin = message.startsWith(field) ? message.charAt(0) : message.charAt(0).toUpperCase();
  return `${begin}${message.slice(1)}.`.replace(/\.\.$/, '.');
}

function flatten(errors: ValidationError[], parent = ''): (InputIssue & { rule: string })[] {
  return errors.flatMap((error) => {
    const path = parent ? `${parent}.${error.property}` : error.property;
    const own = Object.entries(error.constraints ?? {}).map(([rule, message]) => ({
      path,
      message: sentence(message, error.property),
      expected: expectedBy(error, rule, message),
      received: shortValue(error.value),
      rule,
    }));
    return [...own, ...flatten(error.children ?? [], path)];
  });
}

/** Result of full validation by class: the instance, and what is wrong with it. */
export interface ClassValidation {
  instance: object;
  issues: InputIssue[];
  /** Places of keys that the class does not have. */
  unknownKeys: InputIssue[];
}

/** Makes an instance of the method's input class and runs all of its rules, nested ones too. */
export async function validateByClass(
  type: Type<object>,
  input: JsonObject,
): Promise<ClassValidation> {
  const instance = plainToInstance(type, input, { enableImplicitConversion: false });
  const errors = await validate(instance, {
    whitelist: true,
    forbidNonWhitelisted: true,
    forbidUnknownValues: true,
  });
  const found = flatten(errors);
  const plain = ({ rule: _rule, ...issue }: InputIssue & { rule: string }): InputIssue => issue;
  return {
    instance,
    issues: found.filter((issue) => issue.rule !== UNKNOWN_KEY_RULE).map(plain),
    unknownKeys: found.filter((issue) => issue.rule === UNKNOWN_KEY_RULE).map(plain),
  };
}
