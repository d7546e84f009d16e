const FOLD_OCTETS = 75;

/**
 * A content line as a file has it: CRLF at the end, folded so that no physical line is longer than
 * 75 octets and no character is split (RFC 5545 §3.1).
 * @param writtenParams parameters that are written already, from `;` on.
 */
export function contentLine(
  name: string,
  value: string,
  params: Record<string, string> = {},
  writtenParams = '',
): string {
  const head = Object.entries(params).map(([key, text]) => `;${key}=${parameterValue(text)}`);
  return fold(`${name}${head.join('')}${writtenParams}:${value}`);
}

/** A content line that is kept as it was written, folded anew. */
export function writtenLine(text: string): string {
  return fold(text);
}

/** A TEXT value (RFC 5545 §3.3.11): every kind of line break becomes `\n`. */
export function escapeText(text: string): string {
  return storable(text)
    .replace(/[\\;,]/g, '\\$&')
    .replace(/\r\n|\n|\r/g, '\\n');
}

/** A parameter's value, quoted where it must be; quotes and line breaks by RFC 6868. */
function parameterValue(text: string): string {
  const encoded = storable(text)
    .replaceAll('^', '^^')
    .replaceAll('"', "^'")
    .replace(/\r\n|\n|\r/g, '^n');
  return /[:;,]/.test(encoded) || /^\s|\s$/.test(encoded) ? `"${encoded}"` : encoded;
}

/** Control characters other than tabs and line breaks have no place in a calendar. */
function storable(text: string): string {
  return [...text].filter((character) => !isControl(character)).join('');
}

function isControl(character: string): boolean {
  const code = character.charCodeAt(0);
  return (code < 0x20 && code !== 0x09 && code !== 0x0a && code !== 0x0d) || code === 0x7f;
}

function fold(line: string): string {
  let folded = '';
  let octets = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character, 'utf8');
    if (octets + size > FOLD_OCTETS) {
      folded += '\r\n ';
      // The space counts.
      octets = 1;
    }
    folded += character;
    octets += size;
  }
  return `${folded}\r\n`;
}
