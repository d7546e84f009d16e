import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { draftContact } from '../contact-draft.js';
import type { ContactContent } from '../contact-facts.js';
import { avatarText } from './avatar.js';
import { duplicateGroups } from './duplicates.js';
import { mergeContent } from './merge-contacts.js';
import { toE164 } from './phone.js';

const e164 = (text: string): string | null => toE164(text, 'CN');
const word = fc.constantFrom(
  'Amy',
  '王小明',
  'a;b',
  'x,y',
  'back\\slash',
  '🎉',
  'two words',
  'Zoë',
);
const label = fc.constantFrom('home', 'work', '妈妈家');
const fields = fc.record(
  {
    name: word,
    family_name: word,
    given_name: word,
    aliases: fc.array(word, { maxLength: 3 }),
    organization: word,
    department: word,
    title: word,
    emails: fc.array(fc.record({ value: fc.constantFrom('a@b.cn', 'A@B.cn', 'c@d.org'), label })),
    phones: fc.array(
      fc.record({ value: fc.constantFrom('13800138000', '138-0013-8000', '110'), label }),
    ),
    addresses: fc.array(fc.record({ street: word, city: word }, { requiredKeys: ['street'] })),
    urls: fc.array(fc.record({ value: fc.constantFrom('http://a.b/', 'http://c.d/') })),
    groups: fc.array(word),
    birthday: fc.constantFrom('1996-04-15', '--02-29'),
    notes: word,
    avatar: fc.constantFrom('https://a.b/c.png', 'data:image/png;base64,iVBORw0KGgo='),
  },
  { requiredKeys: ['name'] },
);
const content = fields.map((input) => draftContact(input, e164));

/** Every single thing that a contact says. */
function factsOf(one: ContactContent): string[] {
  const { family, given, middle, prefix, suffix } = one.nameParts;
  const labelled = (list: { value: string; label: string | null }[]): string[] =>
    list.flatMap(({ value, label: said }) => [
      value.toLowerCase(),
      ...(said ? said.split(', ').map((part) => `${value.toLowerCase()}=${part}`) : []),
    ]);
  const raw = one.extra.flatMap(({ value }) => value.replace(/\\(.)/g, '$1'));
  return [
    one.name,
    ...one.aliases,
    family,
    given,
    middle,
    prefix,
    suffix,
    one.organization,
    one.department,
    one.title,
    one.birthday,
    ...(one.notes ?? '').split('\n\n'),
    one.avatar ? avatarText(one.avatar) : null,
    ...labelled(one.emails),
    ...labelled(one.urls),
    ...one.phones.flatMap(({ e164: number, value }) => number ?? value),
    ...one.addresses.flatMap(({ street, city }) => [street, city]),
    ...one.groups,
    ...raw,
  ].flatMap((fact) => (fact ? [fact] : []));
}

describe('merging', () => {
  it('keeps every fact of both', () => {
    fc.assert(
      fc.property(content, content, (kept, other) => {
        const all = factsOf(mergeContent(kept, other));
        const text = all.join('\n');
        for (const fact of [...factsOf(kept), ...factsOf(other)]) {
          expect([fact, all.includes(fact) || text.includes(fact)]).toEqual([fact, true]);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('keeps the fields of the first, and changes nothing the second time', () => {
    fc.assert(
      fc.property(content, content, (kept, other) => {
        const once = mergeContent(kept, other);
        expect(once.name).toBe(kept.name);
        expect(once.title).toBe(kept.title ?? other.title);
        expect(mergeContent(once, other)).toEqual(once);
        expect(mergeContent(kept, kept)).toEqual(kept);
      }),
    );
  });
});

describe('duplicate groups', () => {
  it('put each contact into one group, with all that it hangs together with', () => {
    const pairs = fc.array(fc.tuple(fc.nat(12), fc.nat(12)).filter(([a, b]) => a !== b));
    fc.assert(
      fc.property(pairs, (list) => {
        const shared = list.map(([a, b]) => ({ key: 'e:x', ids: [`c${a}`, `c${b}`] }));
        const groups = duplicateGroups(shared);
        const groupOf = new Map(groups.flatMap(({ ids }, n) => ids.map((id) => [id, n] as const)));
        expect(groupOf.size).toBe(groups.flatMap(({ ids }) => ids).length);
        for (const { ids } of shared)
          expect(groupOf.get(ids[0] ?? '')).toBe(groupOf.get(ids[1] ?? ''));
      }),
    );
  });
});
