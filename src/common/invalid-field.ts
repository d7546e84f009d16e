import { StewardError, type InputIssue } from './steward-error.js';

/**
 * One field is not acceptable for a reason that a schema cannot say.
 * @param path dotted, with indexes (`events.0.title`); '' for the input as a whole.
 */
export function invalidField(path: string, message: string, expected?: string): StewardError {
  const issue: InputIssue = { path, message, ...(expected ? { expected } : {}) };
  const told = path === '' ? message : `${path}: ${message}`;
  return new StewardError('INVALID_ACTION_INPUT', told, { issues: [issue] });
}
