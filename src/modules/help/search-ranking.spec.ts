import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { rank } from './search-ranking.js';

const ITEMS = [
  {
    name: 'calendar.read',
    description: 'Lists the events of a day or a range.',
    keywords: 'mode date start_at',
  },
  { name: 'calendar.create', description: 'Creates an event.', keywords: 'title start_at' },
  { name: 'calendar.delete', description: 'Deletes an event.', keywords: 'event_id' },
  {
    name: 'calendar.reject_invite',
    description: 'Declines an invitation.',
    keywords: 'event_id',
  },
  { name: 'contacts.read', description: 'Finds people.', keywords: 'query' },
  { name: 'help.skills', description: 'Lists the skills.', keywords: '' },
];

describe('rank', () => {
  it.each([
    ['delete event', 'calendar.delete'],
    ['create a meeting', 'calendar.create'],
    ['创建日程', 'calendar.create'],
    ['删除会议', 'calendar.delete'],
    ['find a person', 'contacts.read'],
    ['decline invitation', 'calendar.reject_invite'],
    ['skill', 'help.skills'],
    ['contacts.read', 'contacts.read'],
  ])('finds the best for %s', (query, best) => {
    expect(rank(query, ITEMS)[0]?.name).toBe(best);
  });

  it('finds nothing for what has nothing to do with anything', () => {
    expect(rank('zzzz qqqq', ITEMS)).toEqual([]);
    expect(rank('***', ITEMS)).toEqual([]);
  });

  it('gives some of the items, each once, whatever is asked', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (query) => {
        const found = rank(query, ITEMS);
        expect(new Set(found).size).toBe(found.length);
        for (const item of found) expect(ITEMS).toContain(item);
      }),
    );
  });
});
