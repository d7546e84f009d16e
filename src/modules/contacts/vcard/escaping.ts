/** Escapes a text value (RFC 6350 §3.4; 3.0 the same). */
export function escapeText(text: string): string {
  return text.replace(/[\\;,]/g, '\\$&').replace(/\r\n|\r|\n/g, '\\n');
}

export function unescapeText(value: string): string {
  return value.replace(/\\([\s\S])/g, (_all, letter: string) =>
    letter === 'n' || letter === 'N' ? '\n' : letter,
  );
}

/** Parts of a value at an unescaped separator, still escaped. */
export function splitValue(value: string, separator: ';' | ','): string[] {
  const parts: string[] = [];
  let start = 0;
  for (let at = 0; at < value.length; at += 1) {
    if (value[at] === '\\') at += 1;
    else if (value[at] === separator) {
      parts.push(value.slice(start, at));
      start = at + 1;
    }
  }
  parts.push(value.slice(start));
  return parts;
}

/** A structured value; null is an empty component. */
export function joinComponents(parts: (string | null)[]): string {
  return parts.map((part) => escapeText(part ?? '')).join(';');
}
