import { Injectable, ValidationPipe, type ArgumentMetadata } from '@nestjs/common';
import type { ValidationError } from 'class-validator';
import { StewardError, type InputIssue } from '../common/steward-error.js';

const MAX_DEPTH = 64;
const MAX_ISSUES = 20;
const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * Validates every DTO of an HTTP route in full: unknown members are errors, nothing is converted
 * silently, faults are listed with their paths.
 */
@Injectable()
export class InputValidationPipe extends ValidationPipe {
  constructor() {
    super({
      transform: true,
      whitelist: true,
      forbidNonWhitelisted: true,
      forbidUnknownValues: true,
      stopAtFirstError: false,
      validationError: { target: false },
      exceptionFactory: (errors) => invalidInput(flatten(errors)),
    });
  }

  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    if (metadata.type === 'param' || metadata.type === 'query')
      assertStorable(value, metadata.data);
    if (metadata.type === 'body' && isDto(metadata.metatype)) {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) {
        throw invalidInput([
          {
            path: '',
            message: 'The body must be a JSON object, sent with Content-Type: application/json.',
            expected: 'object',
          },
        ]);
      }
      assertPlainTree(value);
    }
    return (await super.transform(value, metadata)) as unknown;
  }
}

/** No text with NUL can be stored or looked up; PostgreSQL would fail instead of finding nothing. */
function assertStorable(value: unknown, name = ''): void {
  if (typeof value === 'string' && value.includes('\u0000')) {
    throw invalidInput([{ path: name, message: 'Text must not contain NUL characters.' }]);
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value)) assertStorable(member, key);
}

function isDto(metatype: ArgumentMetadata['metatype']): boolean {
  const builtIn: unknown[] = [String, Boolean, Number, Array, Object];
  return metatype !== undefined && !builtIn.includes(metatype);
}

/** Refuses trees that recursive validation would not survive, and keys that reach a prototype. */
function assertPlainTree(root: object): void {
  let level: object[] = [root];
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) {
      throw invalidInput([{ path: '', message: `The body is nested deeper than ${MAX_DEPTH}.` }]);
    }
    const next: object[] = [];
    for (const node of level) {
      for (const [key, child] of Object.entries(node)) {
        if (FORBIDDEN_KEYS.has(key)) {
          throw invalidInput([{ path: key, message: 'This member name is not allowed.' }]);
        }
        if (typeof child === 'object' && child !== null) next.push(child as object);
        else assertStorable(child, key);
      }
    }
    level = next;
  }
}

function invalidInput(issues: InputIssue[]): StewardError {
  const first = issues[0];
  const detail = first
    ? `${first.path ? `${first.path}: ` : ''}${first.message}`
    : 'The input is not valid.';
  return new StewardError('INVALID_ACTION_INPUT', detail, { issues: issues.slice(0, MAX_ISSUES) });
}

function flatten(errors: ValidationError[], parent = ''): InputIssue[] {
  return errors.flatMap((error) => {
    const path = parent ? `${parent}.${error.property}` : error.property;
    const own = Object.values(error.constraints ?? {}).map((message) => ({ path, message }));
    return [...own, ...flatten(error.children ?? [], path)];
  });
}
