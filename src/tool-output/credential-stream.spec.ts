import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { CredentialStream } from './credential-stream.js';
import { REDACTED, redactProse } from './credential-text.js';

const b64 = (text: string) => Buffer.from(text).toString('base64url');
const SIGNATURE = 'c2lnbmF0dXJlLW9mLXRoZS10b2tlbg';
const jwt = (header: string) => `${b64(header)}.${b64('{"sub":"usr_1"}')}.${SIGNATURE}`;
const OPAQUE = 'sk-9f86d081884c7d659a2feaa0c55ad015';

const KEY = `sk-proj-A${OPAQUE.slice(3)}`;

const TOKENS = [
  jwt('{"alg":"EdDSA","typ":"JWT"}'),
  jwt(' {"alg":"none"}'),
  jwt('{\n "alg":"HS256"}'),
  jwt('{"\\u0061lg":"HS256"}'),
  `Bearer ${OPAQUE}`,
  `authorization: bearer \t${OPAQUE}==`,
  KEY,
  OPAQUE,
  `ghp_${'a1B2c3'.repeat(6)}`,
];
/** What must not be seen of a token: its secret half. */
const SECRETS = [SIGNATURE, OPAQUE, OPAQUE.slice(3), 'a1B2c3'];

const word = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 8 }),
  fc.constantFrom(
    'the',
    'sk-',
    'gh',
    'sk_live',
    'bearer',
    'bearer of',
    'be',
    'eyJ',
    'eyJhbGciOiJ',
    'e.',
    '.',
    '明天',
    'b',
  ),
  fc.string({ unit: fc.constantFrom('e', 'y', 'J', '.', '-', '_', 'b', ' ', 'w', 'o', 'I') }),
);
const split = fc.infiniteStream(fc.integer({ min: 1, max: 9 }));

function stream(text: string, sizes: Iterator<number>): string[] {
  const redactor = new CredentialStream();
  const shown: string[] = [];
  for (let at = 0; at < text.length;) {
    const size = Number(sizes.next().value);
    shown.push(redactor.push(text.slice(at, at + size)));
    at += size;
  }
  return [...shown, redactor.flush()];
}

describe('CredentialStream', () => {
  it('never shows a token, however the text around it is split', () => {
    fc.assert(
      fc.property(
        fc.array(word),
        fc.constantFrom(...TOKENS),
        fc.constantFrom('', ' ', '。', '/', 'token_', '='),
        fc.array(word),
        split,
        (before, token, glue, after, sizes) => {
          // What is glued to "bearer" makes another word of it; a JWT is one wherever it stands.
          const gap = token.startsWith('ey') ? glue : ` ${glue === '=' ? '' : glue} `;
          const text = `${before.join(' ')}${gap}${token}${after.length > 0 ? ' ' : ''}${after.join(' ')}`;
          const shown = stream(text, sizes).join('');
          for (const secret of SECRETS) expect(shown).not.toContain(secret);
          expect(shown).toContain(REDACTED);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('gives a text without one back as it is', () => {
    fc.assert(
      fc.property(fc.array(word), fc.constantFrom('', ' ', '.'), split, (words, gap, sizes) => {
        const text = words.join(gap);
        fc.pre(redactProse(text) === text);
        expect(stream(text, sizes).join('')).toBe(text);
      }),
      { numRuns: 2_000 },
    );
  });

  it('holds back a letter or two of prose, and nothing of a sentence that has ended', () => {
    const redactor = new CredentialStream();
    expect(redactor.push('You are free')).toBe('You are fre');
    expect(redactor.push(' tomorrow')).toBe('e tomorrow');
    expect(redactor.push('明天有两个会议')).toBe('明天有两个会议');
    expect(redactor.push(' be')).toBe(' ');
    expect(redactor.push('fore noon.')).toBe('before noon.');
    expect(redactor.push(' The Bearer')).toBe(' The ');
    expect(redactor.push(' of this, ')).toBe('Bearer of this, ');
    expect(redactor.flush()).toBe('');
  });

  it('takes a run that does not end for a token, in a time linear in its length', () => {
    const redactor = new CredentialStream();
    let shown = '';
    for (let n = 0; n < 2_000; n += 1)
      shown += redactor.push(n === 0 ? 'eyJhbGci' : 'A'.repeat(64));
    shown += redactor.push(' and on') + redactor.flush();
    expect(shown).toBe(`${REDACTED} and on`);
  });
});
