import { toIanaZone } from '../auth/iana-zone.js';
import { isJsonObject } from '../common/json.js';
import { toLocale, type Locale } from '../common/locale.js';
import { StewardError } from '../common/steward-error.js';
import { nearest } from './input/nearest.js';

/** Header in which `project-cli` passes its runtime-only context (PROTOCOL §4). */
export const CONTEXT_HEADER = 'x-project-cli-context';

const ID = /^[\x21-\x7e]{1,200}$/;
const KEYS = ['run_id', 'tool_call_id', 'locale', 'timezone'];

/** What a door may say about a call beside the call itself. */
export interface HeaderContext {
  runId?: string;
  toolCallId?: string;
  locale?: Locale;
  timezone?: string;
}

function invalid(what: string): StewardError {
  return new StewardError('INVALID_TOOL_CALL', `The context of the call is not valid: ${what}.`);
}

/**
 * Reads the context header: JSON with `run_id`, `tool_call_id`, `locale`, `timezone`, all optional.
 * @throws StewardError INVALID_TOOL_CALL
 */
export function parseContextHeader(header: string | undefined): HeaderContext {
  if (header === undefined || header.trim() === '') return {};
  let value: unknown;
  try {
    value = JSON.parse(header);
  } catch {
    throw invalid('it is no JSON');
  }
  if (!isJsonObject(value)) throw invalid('it is no JSON object');
  const given = Object.entries(value).filter(([, member]) => member !== null);
  const context: HeaderContext = {};
  for (const [key, member] of given) {
    if (!KEYS.includes(key)) {
      const meant = nearest(key, KEYS);
      throw invalid(`it has an unknown key${meant ? `; did you mean "${meant}"?` : ''}`);
    }
    if (typeof member !== 'string') throw invalid(`${key} is no string`);
    if (key === 'timezone') {
      const zone = toIanaZone(member);
      if (!zone) throw invalid('timezone is no IANA time zone');
      context.timezone = zone;
    } else if (key === 'locale') {
      context.locale = toLocale(member);
    } else {
      if (!ID.test(member)) throw invalid(`${key} must have 1 to 200 printable ASCII characters`);
      context[key === 'run_id' ? 'runId' : 'toolCallId'] = member;
    }
  }
  return context;
}
