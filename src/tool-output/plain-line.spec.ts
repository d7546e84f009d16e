import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { plainLine } from './plain-line.js';

describe('plainLine', () => {
  it.each([
    ['newlines and spaces', ' a\r\n\t b\u00a0\u2003\u3000c\u2028d\u0085e ', 'a b c d e'],
    ['an override of direction', 'a\u202egnp.exe\u202c', 'agnp.exe'],
    ['isolates and marks of direction', '\u2066a\u2069\u200eb\u200f\u061cc', 'abc'],
    ['zero-width characters', 'a\u200bb\u2060c\ufeffd\u00ade\u180ef', 'abcdef'],
    ['a joiner that joins nothing', 'pass\u200dword a\u200c', 'password a'],
    ['a family', '👨‍👩‍👧‍👦!', '👨‍👩‍👧‍👦!'],
    ['a heart of two variants', '❤️‍🔥', '❤️‍🔥'],
    ['a Persian word', 'می\u200cخواهم', 'می\u200cخواهم'],
    ['the flag of England', '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}', undefined],
    ['words hidden in tags', 'hi\u{e0044}\u{e0065}\u{e006c}', 'hi'],
    ['half a pair', 'a\ud83d', 'a\ufffd'],
    ['NUL', 'a\u0000b', 'a b'],
    ['only what is invisible', '\u200b\u202e\n', ''],
  ])('takes %s for what a person sees', (_name, text, line) => {
    expect(plainLine(text)).toBe(line ?? text);
  });

  it('leaves eight of a heap of marks', () => {
    expect(plainLine(`z${'\u0301'.repeat(500)}`)).toBe(`z${'\u0301'.repeat(8)}`);
  });

  it('is one line without anything invisible, whatever the text, and stays as it is', () => {
    const part = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('\u200d', '\u200c', '\u202e', '\u{e0061}', '🏴', '👩', '\ufe0f', 'ا', ' '),
    );
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        const line = plainLine(parts.join(''));
        expect(line).not.toMatch(/[\p{Cc}\p{Surrogate}\u2028\u2029\u200b\u200e\u200f]|\s\s/u);
        expect(line).not.toMatch(/[\u202a-\u202e\u2060-\u2069\ufeff]/u);
        expect(plainLine(line)).toBe(line);
      }),
    );
  });
});
