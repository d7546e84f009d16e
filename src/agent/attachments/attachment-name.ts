import { redactTokens } from '../../tool-output/credential-text.js';

/** UTF-8 bytes of a name: what file systems take. */
const NAME_MAX_BYTES = 255;

/** Control, format and direction characters, and halves of surrogate pairs. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;

/**
 * The name of a file as it may be shown and saved: the last part of a path, without what hides or
 * turns text and without a credential, at most 255 bytes with its ending kept. Never part of an
 * object's key.
 */
export function cleanName(given: string): string {
  const [last = ''] = given.split(/[/\\]/).slice(-1);
  const name = redactTokens(last.replace(UNSAFE, '').replace(/\s+/gu, ' ').trim());
  if (/^\.*$/.test(name)) return 'file';
  if (Buffer.byteLength(name) <= NAME_MAX_BYTES) return name;
  const ending = /\.[A-Za-z0-9]{1,10}$/.exec(name)?.[0] ?? '';
  return cut(name, NAME_MAX_BYTES - ending.length) + ending;
}

/** The longest beginning of whole graphemes within so many bytes. */
function cut(name: string, maxBytes: number): string {
  let kept = '';
  let bytes = 0;
  for (const { segment } of new Intl.Segmenter().segment(name)) {
    bytes += Buffer.byteLength(segment);
    if (bytes > maxBytes) break;
    kept += segment;
  }
  return kept;
}

/** The header Content-Disposition (RFC 6266), for a name of any script. */
export function contentDisposition(kind: 'inline' | 'attachment', name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]|["\\%]/gu, '_');
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
