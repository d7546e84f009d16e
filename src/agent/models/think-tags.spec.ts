import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { ThinkTags } from './think-tags.js';

/** What an answer in pieces is taken for, put together again. */
function split(pieces: string[]): { reasoning: string; text: string; order: string } {
  const tags = new ThinkTags();
  const found = [...pieces.flatMap((piece) => tags.push(piece)), ...tags.flush()];
  expect(found.every(({ delta }) => delta !== '')).toBe(true);
  const of = (type: string) =>
    found.flatMap((piece) => (piece.type === type ? [piece.delta] : [])).join('');
  return {
    reasoning: of('reasoning'),
    text: of('text'),
    order: found.map(({ type }) => type[0]).join(''),
  };
}

/** Every way to cut a text into three. */
function cuts(text: string): string[][] {
  const ends = Array.from({ length: text.length + 1 }, (_, index) => index);
  return ends.flatMap((a) =>
    ends.filter((b) => b >= a).map((b) => [text.slice(0, a), text.slice(a, b), text.slice(b)]),
  );
}

describe('ThinkTags', () => {
  it.each([
    ['<think>\nhm <b>\n</think>\n\nYes </think>.', 'hm <b>\n', 'Yes </think>.'],
    ['\n<think></think>\n\nYes', '', 'Yes'],
    ['<think>never ended </thi', 'never ended </thi', ''],
    ['<thinking> aloud', '', '<thinking> aloud'],
    ['<thi', '', '<thi'],
    ['  plain <think>x</think>', '', '  plain <think>x</think>'],
    ['<think>only</think>\n', 'only', ''],
  ])('takes %j apart, however it is cut', (answer, reasoning, text) => {
    for (const pieces of cuts(answer)) {
      const found = split(pieces);
      // A line break that follows the tag in a piece of its own is a thought like any other.
      expect(found.reasoning.replace(/^\n/, '')).toBe(reasoning);
      expect(found.text).toBe(text);
      expect(found.order).toMatch(/^r*t*$/);
    }
  });

  it('holds no white space without end back for a tag', () => {
    const tags = new ThinkTags();
    const shown = Array.from({ length: 2_000 }, () => tags.push(' ')).flat();
    expect(shown.map(({ delta }) => delta).join('')).toHaveLength(2_000);
    expect(tags.push('<think>')).toEqual([{ type: 'text', delta: '<think>' }]);
  });

  it('changes nothing about an answer that does not begin with the tag', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' })), (pieces) => {
        fc.pre(!pieces.join('').trimStart().startsWith('<think>'));
        expect(split(pieces)).toMatchObject({ text: pieces.join(''), reasoning: '' });
      }),
    );
  });
});
