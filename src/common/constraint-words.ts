import { getMetadataStorage, type ValidationError } from 'class-validator';
import type { ValidationMetadata } from 'class-validator/types/metadata/ValidationMetadata.js';

/** What a rule of class-validator accepts, by its name; the others say it in their message. */
const WORDS: Readonly<Record<string, (...constraints: unknown[]) => string>> = {
  isString: () => 'string',
  isInt: () => 'integer',
  isNumber: () => 'number',
  isBoolean: () => 'boolean',
  isArray: () => 'array',
  isObject: () => 'object',
  nestedValidation: () => 'object',
  isIn: (values) => `one of ${[values].flat().join(', ')}`,
  equals: (value) => String(value),
  min: (least) => `at least ${String(least)}`,
  max: (most) => `at most ${String(most)}`,
  minLength: (least) => `at least ${String(least)} characters`,
  maxLength: (most) => `at most ${String(most)} characters`,
  isLength: (least, most) => `${String(least)} to ${String(most)} characters`,
  arrayMinSize: (least) => `at least ${String(least)} items`,
  arrayMaxSize: (most) => `at most ${String(most)} items`,
  arrayUnique: () => 'no item twice',
  isEmail: () => 'email address, such as amy@example.com',
  isIso8601: () => 'ISO 8601 date or date-time',
  isCronPattern: () => 'five fields, such as 0 8 * * 1-5',
  isDateString: () => 'ISO 8601 date or date-time',
};

/** `x must not be blank` → `not blank`, `must be a date` → `a date`. */
export function wordsOfMessage(message: string): string {
  const [, not, verb = '', rest = ''] =
    /\bmust (not )?(be|have|contain) (.+)$/s.exec(message) ?? [];
  if (rest === '') return message;
  if (not === undefined) return verb === 'contain' ? `with ${rest}` : rest;
  return verb === 'be' ? `not ${rest}` : `no ${rest}`;
}

/**
 * What the rule would have accepted, in words (PROTOCOL §5: `expected`). The error must carry its
 * target, whose class knows the bounds.
 * @param rule key of the error's `constraints`. @param message what stands there.
 */
export function expectedBy(error: ValidationError, rule: string, message: string): string {
  const { words, each } = ofRule(error, rule);
  const text = words ?? wordsOfMessage(message);
  return each && words !== undefined ? `each ${text}` : text;
}

function ofRule({ target, property }: ValidationError, rule: string) {
  const metadata = target && metadataOf(target.constructor, property, rule);
  const own = Object.hasOwn(WORDS, rule) ? WORDS[rule] : undefined;
  return {
    words: own && metadata ? own(...((metadata.constraints ?? []) as unknown[])) : undefined,
    each: metadata?.each ?? false,
  };
}

/** The last declaration counts, as in validation: a class may say it again after its parent. */
function metadataOf(type: unknown, property: string, rule: string): ValidationMetadata | undefined {
  if (typeof type !== 'function') return undefined;
  return getMetadataStorage()
    .getTargetValidationMetadatas(type, '', false, false)
    .find((one) => one.propertyName === property && (one.name ?? one.type) === rule);
}
