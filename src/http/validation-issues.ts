import { getMetadataStorage, type ValidationError } from 'class-validator';
import { expectedBy } from '../common/constraint-words.js';
import type { InputIssue } from '../common/steward-error.js';
import { nearest } from '../tool-router/input/nearest.js';

/** Faults told of one request. */
const MAX_ISSUES = 20;

interface Fault {
  path: string;
  error: ValidationError;
  rule: string;
  message: string;
}

function* faultsOf(errors: readonly ValidationError[], parent = ''): Generator<Fault> {
  for (const error of errors) {
    const path = parent ? `${parent}.${error.property}` : error.property;
    for (const [rule, message] of Object.entries(error.constraints ?? {})) {
      yield { path, error, rule, message };
    }
    yield* faultsOf(error.children ?? [], path);
  }
}

/** Names that the class of a body, or of a part of it, has rules for; those of its parents, too. */
function membersOf({ target }: ValidationError): string[] {
  if (!target) return [];
  const rules = getMetadataStorage().getTargetValidationMetadatas(
    target.constructor,
    '',
    false,
    false,
  );
  return [...new Set(rules.map((rule) => rule.propertyName))];
}

/** What stood there is not told: it may be a password. */
function toIssue({ path, error, rule, message }: Fault): InputIssue {
  if (rule !== 'whitelistValidation') {
    return { path, message, expected: expectedBy(error, rule, message) };
  }
  const known = membersOf(error);
  const meant = nearest(error.property, known);
  return {
    path,
    message: `There is no such member.${meant ? ` Did you mean "${meant}"?` : ''}`,
    expected: known.length > 0 ? `one of ${known.join(', ')}` : 'no members',
  };
}

/**
 * Faults of class-validator as issues with dotted paths, the first twenty: a body can have thousands, and
 * each unknown member is held against the names that there are. It names the nearest, as the router does
 * for keys of an input (PROTOCOL §6).
 */
export function validationIssues(errors: readonly ValidationError[]): InputIssue[] {
  const issues: InputIssue[] = [];
  for (const fault of faultsOf(errors)) {
    if (issues.push(toIssue(fault)) === MAX_ISSUES) break;
  }
  return issues;
}
