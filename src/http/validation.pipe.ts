import { Injectable, ValidationPipe, type ArgumentMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { BodyBounds } from '../common/body-bounds.js';
import { StewardError, type InputIssue } from '../common/steward-error.js';
import { redactText } from '../tool-output/credential-scan.js';
import { validationIssues } from './validation-issues.js';

const MAX_DEPTH = 64;
/** Values in a body; class-transformer's work grows faster than their number. */
const BOUNDS = { members: 200, values: 20_000 };

/**
 * Validates every DTO of an HTTP route in full: unknown members are errors, nothing is converted
 * silently, faults are listed with their paths.
 */
@Injectable()
export class InputValidationPipe extends ValidationPipe {
  private readonly reflector = new Reflector();

  constructor() {
    super({
      transform: true,
      whitelist: true,
      forbidNonWhitelisted: true,
      forbidUnknownValues: true,
      stopAtFirstError: false,
      // Its class knows bounds and names; it goes no further than validationIssues.
      validationError: { target: true, value: false },
      exceptionFactory: (errors) => invalidInput(validationIssues(errors)),
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
      const own = metadata.metatype && this.reflector.get(BodyBounds, metadata.metatype);
      assertPlainTree(value, own ?? BOUNDS);
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

/** `toString` or `__proto__` as a member: class-transformer would not see it, or reach a prototype. */
function isForbiddenKey(key: string): boolean {
  return key === 'prototype' || key in Object.prototype;
}

/**
 * Refuses, in linear time, what validation would take too long for or not survive, keys that reach
 * a prototype, and text that carries a credential (PROTOCOL §13).
 */
function assertPlainTree(root: object, bounds: typeof BOUNDS): void {
  let nodes = 0;
  let level: object[] = [root];
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) {
      throw invalidInput([{ path: '', message: `The body is nested deeper than ${MAX_DEPTH}.` }]);
    }
    const next: object[] = [];
    for (const node of level) {
      const members = Object.entries(node);
      nodes += members.length;
      if (nodes > bounds.values || (!Array.isArray(node) && members.length > bounds.members)) {
        const message = `The body has more than ${bounds.members} members in an object or ${bounds.values} values.`;
        throw invalidInput([{ path: '', message }]);
      }
      for (const [key, child] of members) {
        if (isForbiddenKey(key)) {
          throw invalidInput([{ path: key, message: 'This member name is not allowed.' }]);
        }
        if (typeof child === 'object' && child !== null) next.push(child as object);
        else assertText(child, key);
      }
    }
    level = next;
  }
}

function assertText(value: unknown, key: string): void {
  assertStorable(value, key);
  if (typeof value === 'string' && redactText(value) !== value) {
    throw new StewardError('CREDENTIAL_IN_INPUT', `${key}: must not carry a credential.`);
  }
}

function invalidInput(issues: InputIssue[]): StewardError {
  const first = issues[0];
  const detail = first
    ? `${first.path ? `${first.path}: ` : ''}${first.message}`
    : 'The input is not valid.';
  return new StewardError('INVALID_ACTION_INPUT', detail, { issues });
}
