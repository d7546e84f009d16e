const segmenter = new Intl.Segmenter('zh', { granularity: 'word' });
const PHRASE = 10;

/** Cuts an answer into pieces of a few words; joined they are `text`, none splits a grapheme. */
export function* phraseDeltas(text: string): Generator<string> {
  let phrase = '';
  for (const { segment } of segmenter.segment(text)) {
    phrase += segment;
    if (phrase.length >= PHRASE) {
      yield phrase;
      phrase = '';
    }
  }
  if (phrase !== '') yield phrase;
}
