import { isJsonObject, type JsonObject } from '../../../common/json.js';
import type { InputIssue } from '../../../common/steward-error.js';
import type { InlineFile } from '../../attachments/message-attachments.js';

/** What one part of a message's content is: a text, an attachment by id, a file, or a fault. */
export type ReadPart = { text: string } | { id: string; path: string } | InlineFile | InputIssue;

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;
const MEDIA = new Set(['image', 'audio', 'video', 'document']);
const EXPECTED =
  'text, binary with data or the id of an attachment, or image or document with a data source';

/**
 * Reads a content part of AG-UI: `text`; `binary` of 0.0.59 and later; `image`, `document` and their
 * kind of 1.0, whose data lies in `source`. The type that a part claims is not believed: it is found
 * in the content. URLs are refused: the server fetches nothing that a client names.
 */
export function readPart(part: unknown, path: string): ReadPart {
  const fault = (message: string): InputIssue => ({ path, message, expected: EXPECTED });
  if (!isJsonObject(part)) return fault('is not a content part');
  if (part.type === 'text' && typeof part.text === 'string') return { text: part.text };
  if (part.type === 'binary') {
    if (typeof part.data === 'string') return readFile(part.data, nameOf(part, part), fault);
    if (typeof part.id === 'string' && part.id.length <= 64) return { id: part.id, path };
    return fault('must have its data: files are not fetched from URLs');
  }
  if (typeof part.type !== 'string' || !MEDIA.has(part.type)) {
    return fault('is not a part that is accepted');
  }
  const { source } = part;
  if (!isJsonObject(source) || source.type !== 'data' || typeof source.value !== 'string') {
    return fault('must have its data: files are not fetched from URLs');
  }
  const about = isJsonObject(part.metadata) ? part.metadata : {};
  return readFile(source.value, nameOf(about, source), fault);
}

function readFile(
  data: string,
  name: string,
  fault: (message: string) => InputIssue,
): InlineFile | InputIssue {
  if (!BASE64.test(data)) return fault('has data that is not base64');
  return { name, body: Buffer.from(data, 'base64') };
}

/** The name that is given, or one made of the claimed type. */
function nameOf({ filename }: JsonObject, { mimeType }: JsonObject): string {
  if (typeof filename === 'string' && filename !== '') return filename;
  const ending = typeof mimeType === 'string' ? /\/([a-z0-9]{1,10})$/i.exec(mimeType)?.[1] : null;
  return ending ? `file.${ending.toLowerCase()}` : 'file';
}
