import { ERROR_CODES, isErrorCode } from '../../../src/common/error-codes.js';
import { isJsonObject } from '../../../src/common/json.js';

/** Codes that say "a fault of ours": whatever a caller sends, it must not get one. */
const OUR_FAULTS = new Set(['INTERNAL', 'OUTPUT_INVALID']);

/** Stack frames, SQL, driver errors, source paths: what no answer may tell. */
const LEAKS = [
  /\bat .{0,200}\.[cm]?[jt]s:\d+:\d+/,
  /node_modules|node:internal|dist\/server|\/src\/\w+\//,
  /QueryFailedError|driverError|EntityMetadata|syntax error at or near/,
  /relation "\w+"|column "\w+"|violates \w+[ -]\w*[ -]?constraint|duplicate key value/,
  /\b(SELECT|INSERT INTO|UPDATE|DELETE FROM) ["\w.*, ]{1,200} (FROM|VALUES|SET|WHERE)\b/,
  /Cannot read propert|is not a function|is not iterable|Unexpected token|in JSON at position/,
];

/** Throws what is wrong with an answer, short enough to be read. */
export function refuse(what: string, answer: string): never {
  throw new Error(`${what}: ${answer.slice(0, 600)}`);
}

export function checkLeaks(answer: string): void {
  for (const leak of LEAKS) {
    if (leak.test(answer)) refuse(`The answer shows ${String(leak)}`, answer);
  }
}

function checkCode(code: unknown, answer: string): void {
  if (!isErrorCode(code)) refuse('The error has no code of PROTOCOL §5', answer);
  if (OUR_FAULTS.has(code)) refuse(`A caller cannot be the cause of ${code}`, answer);
}

/** A document of the tool door (PROTOCOL §4, §5): 200, or 401 for a credential and nothing else. */
export function checkToolDocument(status: number, answer: string): void {
  if (status !== 200 && status !== 401) refuse(`The tool door answers ${status}`, answer);
  checkLeaks(answer);
  const document: unknown = JSON.parse(answer);
  if (!isJsonObject(document)) refuse('No object', answer);
  const { ok, error, data } = document;
  if (ok === true) {
    if (status !== 200 || data === undefined) refuse('A success without data', answer);
    return;
  }
  if (!isJsonObject(error)) refuse('A failure without an error', answer);
  checkCode(error.code, answer);
  if (typeof error.message !== 'string' || error.message === '') refuse('No message', answer);
  if (typeof error.retryable !== 'boolean') refuse('It does not say whether to retry', answer);
  const unauthorised = isErrorCode(error.code) && ERROR_CODES[error.code].http === 401;
  if (unauthorised !== (status === 401)) refuse(`${status} for this error`, answer);
}

/** A problem document (RFC 9457, PROTOCOL §11), of an answer with a status from 400 on. */
export function checkProblem(status: number, type: string, answer: string): void {
  if (status >= 500) refuse(`The server answers ${status}`, answer);
  checkLeaks(answer);
  if (!type.startsWith('application/problem+json')) refuse(`A refusal as "${type}"`, answer);
  const problem: unknown = JSON.parse(answer);
  if (!isJsonObject(problem)) refuse('No object', answer);
  checkCode(problem.code, answer);
  if (problem.status !== status) refuse(`The document says another status than ${status}`, answer);
  for (const member of ['type', 'title', 'detail', 'requestId']) {
    if (typeof problem[member] !== 'string') refuse(`No ${member}`, answer);
  }
}
