import { TextDecoder } from 'node:util';
import { VcardError } from './vcard-error.js';

/**
 * The text of a quoted-printable value (RFC 2045 §6.7); soft line breaks stand as `=` and a newline.
 * @throws VcardError for an unknown charset, or bytes that are none of it.
 */
export function decodeQuotedPrintable(value: string, charset: string, line: number): string {
  let decoder: TextDecoder;
  try {
    decoder = new TextDecoder(charset, { fatal: true });
  } catch {
    throw new VcardError(line, `names a charset that is not known: ${charset.slice(0, 40)}.`);
  }
  const joined = value.replace(/=[ \t]*\n[ \t]*/g, '').replace(/=$/, '');
  const bytes: Buffer[] = [];
  for (const part of joined.split(/((?:=[0-9A-Fa-f]{2})+)/)) {
    if (/^=[0-9A-Fa-f]{2}/.test(part)) bytes.push(Buffer.from(part.replaceAll('=', ''), 'hex'));
    else if (part.includes('=')) {
      throw new VcardError(line, 'has "=" without two hexadecimal digits in quoted-printable.');
    } else bytes.push(Buffer.from(part, 'utf8'));
  }
  try {
    return decoder.decode(Buffer.concat(bytes));
  } catch {
    throw new VcardError(line, `has bytes that are not ${charset}.`);
  }
}
