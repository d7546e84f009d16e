import { StewardError, type InputIssue } from '../../common/steward-error.js';
import { isStorableText } from '../../common/storable-text.js';
import { dotted } from './json-path.js';

/** Levels of objects and arrays in an input, the input itself included. */
export const MAX_INPUT_DEPTH = 32;
/** Size of an input, in bytes of JSON text. */
export const MAX_INPUT_BYTES = 256 * 1024;
/** What is said of an input that is deeper. */
export const TOO_DEEP = `input is nested deeper than ${MAX_INPUT_DEPTH} levels.`;

/** Keys that reach a prototype when somebody copies them carelessly. */
const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype']);

function findFault(input: object): InputIssue | null {
  let level: { value: object; path: string[] }[] = [{ value: input, path: [] }];
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > MAX_INPUT_DEPTH) {
      return { path: '', message: TOO_DEEP };
    }
    const next: typeof level = [];
    for (const { value, path } of level) {
      for (const [key, child] of Object.entries(value) as [string, unknown][]) {
        if (!Array.isArray(value) && (FORBIDDEN_KEYS.has(key) || !isStorableText(key))) {
          return { path: dotted(path), message: 'A key here is not allowed.' };
        }
        if (typeof child === 'string' && !isStorableText(child)) {
          return {
            path: dotted([...path, key]),
            message: 'The text has a NUL character or half of a surrogate pair.',
          };
        }
        if (typeof child === 'object' && child !== null) {
          next.push({ value: child, path: [...path, key] });
        }
      }
    }
    level = next;
  }
  const bytes = Buffer.byteLength(JSON.stringify(input), 'utf8');
  if (bytes <= MAX_INPUT_BYTES) return null;
  return {
    path: '',
    message: `input has ${bytes} bytes; at most ${MAX_INPUT_BYTES} are accepted.`,
  };
}

/**
 * Refuses input that is too deep or too large, has keys that reach a prototype, or text that cannot
 * be stored. Does not recurse.
 * @returns an INVALID_ACTION_INPUT error, or null.
 */
export function checkInputLimits(input: object): StewardError | null {
  const issue = findFault(input);
  return issue && new StewardError('INVALID_ACTION_INPUT', issue.message, { issues: [issue] });
}
