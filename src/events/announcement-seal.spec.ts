import { describe, expect, it } from '@jest/globals';
import { AnnouncementSeal } from './announcement-seal.js';

const keys = (...names: string[]) => ({
  derive: () => Buffer.from(names[0] ?? ''),
  accepted: () => names.map((name) => Buffer.from(name)),
});
const SCOPE = 'steward:here';
const seal = new AnnouncementSeal(keys('new', 'old'), SCOPE);

describe('AnnouncementSeal', () => {
  it('holds for what it has sealed, under every key that is accepted', () => {
    const before = new AnnouncementSeal(keys('old'), SCOPE);
    for (const sealed of [seal.seal('said 会'), before.seal('said 会')]) {
      expect(seal.holds(sealed)).toBe(true);
      expect(seal.textOf(sealed)).toBe('said 会');
    }
  });

  it.each([
    ['nothing', ''],
    ['a text alone', '["a"]'],
    ['a longer text alone', 'x'.repeat(500)],
    ['a seal alone', seal.seal('said').slice(0, 43)],
    ['half a seal', seal.seal('said').slice(20)],
    ['another text', `${seal.seal('said')} otherwise`],
    ['another key', new AnnouncementSeal(keys('theirs'), SCOPE).seal('said')],
    ['another place', new AnnouncementSeal(keys('new'), 'steward:there').seal('said')],
  ])('does not hold for %s', (_what, sealed) => {
    expect(seal.holds(sealed)).toBe(false);
  });
});
