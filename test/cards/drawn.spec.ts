import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { toLocale } from '../../src/common/locale.js';
import { drawCard } from '../../src/tool-output/a2ui/card-text.js';
import { compileUiHints } from '../../src/tool-output/a2ui/compile-ui-hints.js';
import { CARD_CASES } from './card-cases.js';
import { CARD_TEMPLATES } from './card-templates.js';

/** What people see, to be read by people: `drawn/<case>.<locale>.txt`. */
describe('the drawn card', () => {
  const folder = new URL('./drawn/', import.meta.url);

  it.each(readdirSync(folder))('%s', (file) => {
    const [, name, tag] = /^(.+)\.(zh-CN|en)\.txt$/.exec(file) ?? [];
    const card = CARD_CASES.find((candidate) => candidate.name === name);
    if (!card) throw new Error(`There is no case for ${file}.`);
    const locale = toLocale(tag);
    const timezone = locale === 'en' ? 'America/New_York' : 'Asia/Shanghai';
    const hints = CARD_TEMPLATES[card.id]?.(card.data, card.input, { locale, timezone });
    const text = readFileSync(new URL(file, folder), 'utf8');
    expect(`${drawCard(compileUiHints(hints, 'call_1'))}\n`).toBe(text);
  });
});
