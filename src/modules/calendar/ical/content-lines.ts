import { TextDecoder } from 'node:util';
import { IcalFault } from './ical-fault.js';
import { ICAL_LINE_MAX_BYTES } from './ical.limits.js';

/** One content line of RFC 5545 §3.1, unfolded. */
export interface ContentLine {
  /** Line of the file on which it begins, from 1. */
  number: number;
  text: string;
}

const UTF16_MARKS: [mark: string, encoding: string][] = [
  ['\u00ff\u00fe', 'utf-16le'],
  ['\u00fe\u00ff', 'utf-16be'],
];
const UTF8_MARK = '\u00ef\u00bb\u00bf';

/**
 * The content lines of a file. Folds are undone on octets, before characters are decoded: RFC 5545
 * folds by octets, and writers split characters. Blank lines fall away; CRLF, LF and CR all end a
 * line.
 * @param charset of the Content-Type; a byte order mark comes before it.
 * @throws IcalFault for bytes that are no text, and for a line of excessive length.
 */
export function readContentLines(bytes: Uint8Array, charset = 'utf-8'): ContentLine[] {
  const decoder = decoderOf(charset);
  const lines: { number: number; parts: string[] }[] = [];
  for (const [index, octets] of octetLines(bytes).entries()) {
    const open = lines.at(-1);
    if (open && /^[ \t]/.test(octets)) open.parts.push(octets.slice(1));
    else if (octets.trim() !== '') lines.push({ number: index + 1, parts: [octets] });
  }
  return lines.map(({ number, parts }) => {
    const octets = parts.join('');
    // A picture may stand in a line, but nothing else is of such a length.
    if (octets.length > ICAL_LINE_MAX_BYTES && !/^ATTACH[;:]/i.test(octets)) {
      throw new IcalFault(number, `the line is longer than ${ICAL_LINE_MAX_BYTES} bytes.`);
    }
    return { number, text: decode(octets, decoder, number) };
  });
}

/** One character an octet, as latin1 shows them. */
function octetLines(bytes: Uint8Array): string[] {
  let octets = Buffer.from(bytes).toString('latin1');
  const utf16 = UTF16_MARKS.find(([mark]) => octets.startsWith(mark));
  if (utf16) {
    const text = new TextDecoder(utf16[1]).decode(bytes);
    octets = Buffer.from(text, 'utf8').toString('latin1');
  }
  if (octets.startsWith(UTF8_MARK)) octets = octets.slice(UTF8_MARK.length);
  return octets.split(/\r\n|\n|\r/);
}

function decode(octets: string, decoder: TextDecoder, line: number): string {
  // Tabs may stand in a value; other control characters are in no calendar (RFC 5545 §3.1).
  if (/[^\P{Cc}\t\u0080-\u009f]/u.test(octets)) {
    throw new IcalFault(line, 'there is a control character, so this is no text file.');
  }
  if (!/[\u0080-\u00ff]/.test(octets)) return octets;
  try {
    return decoder.decode(Buffer.from(octets, 'latin1'));
  } catch {
    throw new IcalFault(line, `the text is not ${decoder.encoding.toUpperCase()}.`);
  }
}

/** Only encodings in which line ends and folds are the octets of ASCII. */
function decoderOf(charset: string): TextDecoder {
  try {
    const decoder = new TextDecoder(charset, { fatal: true });
    if (!decoder.encoding.startsWith('utf-16')) return decoder;
  } catch {
    // An unknown name is refused below, with the same words.
  }
  throw new IcalFault(1, 'the charset is not supported; send UTF-8.');
}
