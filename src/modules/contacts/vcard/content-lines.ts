import { decodeQuotedPrintable } from './quoted-printable.js';
import { VcardError } from './vcard-error.js';

/** One property of a card: `group.NAME;PARAM=a,b:value`; `value` is as escaped as it stood. */
export interface ContentLine {
  /** Where it begins in the file, from 1. */
  line: number;
  group: string | null;
  name: string;
  /** Names in upper case, in order. A bare parameter (vCard 2.1) is a TYPE. */
  params: [string, string[]][];
  value: string;
}

interface RawLine {
  line: number;
  text: string;
}

const LINE_MAX = 1024 * 1024;
const PARAMS_MAX = 50;
const HEAD = /^(?:([A-Za-z0-9-]+)\.)?([A-Za-z0-9-]+)(?=[;:])/;
const PARAM_NAME = /^[A-Za-z0-9-]+$/;
const BREAKS_SOFTLY = /^[^:]*;\s*(?:ENCODING=)?QUOTED-PRINTABLE\s*[;:]/i;
// Everything that is no text: controls but tab and line ends.
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

/**
 * The properties of a file, unfolded (RFC 6350 §3.2) and with quoted-printable values decoded.
 * @throws VcardError
 */
export function* contentLines(file: string): Generator<ContentLine> {
  for (const raw of unfolded(file)) yield readLine(raw);
}

function* unfolded(file: string): Generator<RawLine> {
  const lines = file.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
  let current: RawLine | undefined;
  let parts: string[] = [];
  let length = 0;
  const finish = (): RawLine[] => (current ? [{ line: current.line, text: parts.join('') }] : []);
  const extend = (text: string): void => {
    parts.push(text);
    length += text.length;
    if (length > LINE_MAX) {
      throw new VcardError(current?.line ?? 1, `is longer than ${LINE_MAX} characters.`, true);
    }
  };
  for (const [index, text] of lines.entries()) {
    const last = parts.at(-1);
    // A quoted-printable line goes on after a `=` at its end.
    if (current && last?.endsWith('=') === true && BREAKS_SOFTLY.test(current.text)) {
      extend(`\n${text}`);
    } else if (/^[ \t]/.test(text) && current) {
      extend(text.slice(1));
    } else if (text.trim() !== '') {
      yield* finish();
      current = { line: index + 1, text };
      parts = [];
      length = 0;
      extend(text);
    }
  }
  yield* finish();
}

function readLine({ line, text }: RawLine): ContentLine {
  const [head, group, name] = HEAD.exec(text) ?? [];
  if (head === undefined || name === undefined) {
    throw new VcardError(line, 'is no vCard property (NAME:value).');
  }
  const { params, end } = readParams(text, head.length, line);
  const property: ContentLine = {
    line,
    group: group ?? null,
    name: name.toUpperCase(),
    params,
    value: text.slice(end + 1),
  };
  return checked(decoded(property));
}

/** Parameters from `at` (a `;` or the `:`) to the colon before the value. */
function readParams(
  text: string,
  at: number,
  line: number,
): { params: [string, string[]][]; end: number } {
  const params: [string, string[]][] = [];
  let position = at;
  while (text[position] === ';') {
    const start = position + 1;
    const values: string[] = [];
    let from = start;
    let name: string | undefined;
    let quoted = false;
    for (position = start; position < text.length; position += 1) {
      const letter = text[position];
      if (letter === '"') quoted = !quoted;
      else if (quoted) continue;
      else if (letter === '=' && name === undefined) {
        name = text.slice(start, position).trim();
        from = position + 1;
      } else if (letter === ',' && name !== undefined) {
        values.push(text.slice(from, position));
        from = position + 1;
      } else if (letter === ';' || letter === ':') break;
    }
    if (position >= text.length) throw new VcardError(line, 'has no ":" before its value.');
    values.push(text.slice(from, position));
    addParam(params, name ?? 'TYPE', values, line);
  }
  return { params, end: position };
}

function addParam(
  params: [string, string[]][],
  name: string,
  values: string[],
  line: number,
): void {
  const key = name.toUpperCase();
  if (!PARAM_NAME.test(key)) throw new VcardError(line, 'has a parameter without a proper name.');
  if (params.reduce((sum, [, known]) => sum + known.length, values.length) > PARAMS_MAX) {
    throw new VcardError(line, `has more than ${PARAMS_MAX} parameter values.`, true);
  }
  const texts = values.map(paramText).filter((value) => value !== '');
  const known = params.find(([one]) => one === key);
  if (known) known[1].push(...texts);
  else params.push([key, texts]);
}

/** Without quotes, and with RFC 6868's carets undone. */
function paramText(value: string): string {
  return value
    .replace(/"/g, '')
    .trim()
    .replace(/\^([n'^])/g, (_all, letter: string) =>
      letter === 'n' ? ' ' : letter === "'" ? "'" : '^',
    );
}

/** Undoes quoted-printable, the only encoding of texts (vCard 2.1, and 3.0 files that mix). */
function decoded(property: ContentLine): ContentLine {
  const isQuoted = (value: string): boolean => value.toUpperCase() === 'QUOTED-PRINTABLE';
  const charset = paramOf(property, 'CHARSET') ?? 'utf-8';
  if (!property.params.some(([name, values]) => isEncoding(name) && values.some(isQuoted))) {
    return { ...property, params: property.params.filter(([name]) => name !== 'CHARSET') };
  }
  const text = decodeQuotedPrintable(property.value, charset, property.line);
  return {
    ...property,
    value: text.replace(/\r\n|\r/g, '\n'),
    params: property.params
      .map(([name, values]): [string, string[]] => [
        name,
        isEncoding(name) ? values.filter((value) => !isQuoted(value)) : values,
      ])
      .filter(([name, values]) => values.length > 0 && name !== 'CHARSET'),
  };
}

function isEncoding(name: string): boolean {
  return name === 'ENCODING' || name === 'TYPE';
}

function checked(property: ContentLine): ContentLine {
  const texts = [property.value, ...property.params.flatMap(([, values]) => values)];
  if (texts.some((text) => CONTROL.test(text) || /\p{Surrogate}/u.test(text))) {
    throw new VcardError(property.line, 'holds characters that are no text.');
  }
  return property;
}

/** The first value of a parameter. */
export function paramOf(
  property: { params: [string, string[]][] },
  name: string,
): string | undefined {
  return property.params.find(([known]) => known === name)?.[1][0];
}
