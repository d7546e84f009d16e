/**
 * Whether a text, which need not be JSON, opens objects and arrays inside one another deeper than `most`
 * levels. One pass and no recursion, for before it is parsed: two million brackets take a parser a second and
 * a hundred megabytes.
 */
export function isNestedDeeper(text: string, most: number): boolean {
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (quoted) {
      if (character === '\\') at += 1;
      else if (character === '"') quoted = false;
    } else if (character === '"') {
      quoted = true;
    } else if (character === '{' || character === '[') {
      depth += 1;
      if (depth > most) return true;
    } else if (character === '}' || character === ']') {
      depth -= 1;
    }
  }
  return false;
}
