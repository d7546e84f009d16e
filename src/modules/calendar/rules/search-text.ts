/** Scripts that write no spaces between words: every character counts as one. */
const IDEOGRAPH = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const WORD = /[\p{L}\p{N}\p{M}]/u;

interface Searchable {
  title: string;
  location: string | null;
  notes: string | null;
  attendees: { name: string | null; email: string | null }[];
}

/** What a search reads of an event: title, place, notes, names and addresses, normalised. */
export function searchText(event: Searchable): string {
  const people = event.attendees.flatMap(({ name, email }) => [name, email]);
  const texts = [event.title, event.location, ...people, event.notes];
  return normalize(texts.filter((text) => text).join('\n'));
}

/** One form for full-width and half-width, upper and lower case, and runs of blanks. */
function normalize(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\S\n]+/g, ' ')
    .trim();
}

/**
 * Pieces by which an index finds a text, whatever the database's locale: of words their trigrams
 * and how they begin (`^a`, `^am`), of ideographs each one and each pair, any other mark itself.
 */
export function searchGrams(normalized: string): string[] {
  const grams = new Set<string>();
  for (const run of runsOf(normalized)) {
    const { characters } = run;
    if (run.kind === 'word') {
      grams.add(`^${characters[0]}`);
      if (characters.length > 1) grams.add(`^${characters[0]}${characters[1]}`);
      for (const gram of windows(characters, 3)) grams.add(gram);
    } else {
      for (const character of characters) grams.add(character);
      if (run.kind === 'ideographs') for (const gram of windows(characters, 2)) grams.add(gram);
    }
  }
  return [...grams];
}

/** What a row must contain: every term as it stands, and (for the index) every gram. */
export interface SearchQuery {
  terms: string[];
  grams: string[];
}

/**
 * Terms are separated by blanks and must all occur. A term of one or two letters must begin a word;
 * anything longer, and Chinese of any length, may stand inside one.
 */
export function searchQuery(query: string): SearchQuery {
  const terms = normalize(query)
    .split(/\s+/)
    .filter((term) => term !== '');
  const grams = new Set<string>();
  for (const run of terms.flatMap(runsOf)) {
    const { kind, characters } = run;
    if (kind === 'word') {
      if (characters.length < 3) grams.add(`^${characters.join('')}`);
      for (const gram of windows(characters, 3)) grams.add(gram);
    } else if (kind === 'ideographs' && characters.length > 1) {
      for (const gram of windows(characters, 2)) grams.add(gram);
    } else {
      for (const character of characters) grams.add(character);
    }
  }
  return { terms, grams: [...grams] };
}

interface Run {
  kind: 'word' | 'ideographs' | 'marks';
  characters: string[];
}

/** The text in stretches of one kind; blanks separate them. */
function runsOf(text: string): Run[] {
  const runs: Run[] = [];
  let open: Run | undefined;
  for (const character of text) {
    if (/\s/.test(character)) {
      open = undefined;
      continue;
    }
    const kind = kindOf(character);
    if (open?.kind === kind) open.characters.push(character);
    else runs.push((open = { kind, characters: [character] }));
  }
  return runs;
}

function kindOf(character: string): Run['kind'] {
  if (IDEOGRAPH.test(character)) return 'ideographs';
  return WORD.test(character) ? 'word' : 'marks';
}

function windows(characters: string[], length: number): string[] {
  const found: string[] = [];
  for (let start = 0; start + length <= characters.length; start += 1) {
    found.push(characters.slice(start, start + length).join(''));
  }
  return found;
}
