import { isJsonObject, type JsonValue } from '../../../common/json.js';
import type { InputIssue } from '../../../common/steward-error.js';
import { INTERRUPT_ID_MAX_LENGTH, MAX_ANSWERS } from '../dto/resume-run.request.js';
import type { ReadAnswer } from './run-request.js';

/**
 * Reads `resume` of AG-UI's RunAgentInput. What an entry has besides is left alone, and an empty list
 * is none: clients send one with every run.
 */
export function readAgUiResume(
  resume: JsonValue | undefined,
  issues: InputIssue[],
): ReadAnswer[] | undefined {
  if (resume === undefined || resume === null) return undefined;
  if (!Array.isArray(resume) || resume.length > MAX_ANSWERS) {
    const expected = `array of at most ${MAX_ANSWERS}`;
    issues.push({ path: 'resume', message: 'must be a list of answers', expected });
    return undefined;
  }
  const entries = resume.flatMap((entry, index) => readEntry(entry, index, issues) ?? []);
  return entries.length > 0 ? entries : undefined;
}

function readEntry(entry: JsonValue, index: number, issues: InputIssue[]): ReadAnswer | null {
  const path = `resume.${index}`;
  if (!isJsonObject(entry)) {
    issues.push({ path, message: 'must be an answer', expected: 'object' });
    return null;
  }
  const { interruptId, status, payload } = entry;
  if (typeof interruptId !== 'string' || interruptId.length > INTERRUPT_ID_MAX_LENGTH) {
    const message = 'must be the id of an interrupt';
    issues.push({ path: `${path}.interruptId`, message, expected: 'string' });
    return null;
  }
  if (status !== 'resolved' && status !== 'cancelled') {
    const expected = 'string enum(resolved|cancelled)';
    issues.push({ path: `${path}.status`, message: 'must be resolved or cancelled', expected });
    return null;
  }
  return { interruptId, status, ...(payload !== undefined && { payload }) };
}
