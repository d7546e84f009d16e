import { isUtf8 } from 'node:buffer';
import { StewardError } from '../../common/steward-error.js';

/** Endings that tell kinds of text apart; whatever else is text is plain text. */
const TEXT_ENDINGS: Record<string, string> = {
  md: 'text/markdown',
  markdown: 'text/markdown',
  csv: 'text/csv',
  json: 'application/json',
};

/** Text that a browser would run: SVG, HTML and other markup. */
const MARKUP = /^(?:\s|<!--[^]*?-->)*<(?:\?xml|!doctype|html|head|body|svg|script|iframe|math)\b/i;
const BYTE_ORDER_MARK = /^\uFEFF/;

/** Whether a type is text that a model may be given as such. */
export function isText(mediaType: string): boolean {
  return mediaType.startsWith('text/') || mediaType === 'application/json';
}

/**
 * The media type of a file by its content; the name only tells kinds of text apart.
 * @param allowed types of this deployment (ATTACHMENT_TYPES).
 * @throws StewardError INVALID_ACTION_INPUT when it is empty or of no allowed type.
 */
export async function mediaTypeOf(
  body: Buffer,
  name: string,
  allowed: readonly string[],
): Promise<string> {
  if (body.length === 0) throw refused('is empty', allowed);
  // Its many parsers are loaded when the first file comes.
  const { fileTypeFromBuffer } = await import('file-type');
  const found = (await fileTypeFromBuffer(body))?.mime;
  if (found !== undefined && allowed.includes(found)) return found;
  const text = textTypeOf(body, name);
  if (text !== null && allowed.includes(text)) return text;
  throw refused('is of a type that is not accepted', allowed);
}

function textTypeOf(body: Buffer, name: string): string | null {
  if (!isUtf8(body) || body.includes(0)) return null;
  const text = body.toString('utf8').replace(BYTE_ORDER_MARK, '');
  if (MARKUP.test(text)) return null;
  const [ending = ''] = name.toLowerCase().split('.').slice(-1);
  const type = TEXT_ENDINGS[ending] ?? 'text/plain';
  return type === 'application/json' && !isJson(text) ? 'text/plain' : type;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function refused(message: string, allowed: readonly string[]): StewardError {
  return new StewardError('INVALID_ACTION_INPUT', `The file ${message}.`, {
    issues: [{ path: 'file', message, expected: allowed.join(', ') }],
  });
}
