import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { compileUiHints } from './compile-ui-hints.js';
import { drawCard } from './card-text.js';
import { displayWidth, wrapText } from './display-width.js';

describe('displayWidth', () => {
  it.each([
    ['abc', 3],
    ['项目会', 6],
    ['ｆｕｌｌ', 8],
    ['한국어', 6],
    ['e\u0301', 1],
    ['👨‍👩‍👧‍👦', 2],
    ['🇨🇳', 2],
    ['→ ─', 3],
    ['', 0],
    ['\u200b', 0],
  ])('of %j is %i', (text, width) => {
    expect(displayWidth(text)).toBe(width);
  });
});

describe('drawCard', () => {
  it('draws every line as wide as the box, whatever the text', () => {
    const text = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 150 }), fc.lorem());
    fc.assert(
      fc.property(text, text, fc.integer({ min: 12, max: 90 }), (title, body, width) => {
        const schema = compileUiHints(
          {
            version: 1,
            template: 'x.y',
            locale: 'en',
            timezone: 'UTC',
            title,
            tone: 'positive',
            sections: [{ fields: [{ label: body, value: title }], items: [{ title: body }] }],
          },
          's',
        );
        for (const line of drawCard(schema, width).split('\n')) {
          expect(displayWidth(line)).toBe(width);
        }
      }),
    );
  });

  it('loses no text when it wraps', () => {
    fc.assert(
      fc.property(fc.lorem({ maxCount: 30 }), fc.integer({ min: 4, max: 40 }), (text, width) => {
        const lines = wrapText(text, width);
        expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
      }),
    );
  });

  it('is empty without a card, and ends for a tree that refers to itself', () => {
    expect(drawCard(null)).toBe('');
    expect(drawCard([])).toBe('');
    const components = [{ id: 'root', component: 'Column', children: ['root', 'root'] }];
    expect(drawCard([{ version: 'v0.9', updateComponents: { surfaceId: 's', components } }])).toBe(
      '',
    );
  });
});
