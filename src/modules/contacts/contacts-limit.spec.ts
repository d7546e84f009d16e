import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createContacts, type TestContacts } from '../../../test/factories/contacts.js';
import { CONTACTS_MAX } from './contacts.limits.js';

/** One place is left in the book, and several want it at once. */
describe('an address book that is almost full', () => {
  let at: TestContacts;

  beforeAll(async () => {
    at = await createContacts();
    await at.dataSource.query(
      `INSERT INTO contacts
         (id, owner_id, uid, merged_uids, name, name_parts, aliases, emails, phones, addresses,
          urls, groups, extra, version, created_at, updated_at, sort_key, name_text, search_text,
          identity_keys, search_keys)
       SELECT 'con_' || n, 'usr_owner', 'uid' || n, '{}', 'x', '{}', '{}', '[]', '[]', '[]', '[]',
              '{}', '[]', 1, now(), now(), 'x', '', '', '{}', '{}'
         FROM generate_series(1, $1::int) n`,
      [CONTACTS_MAX - 1],
    );
  }, 60_000);
  afterAll(() => at.close());

  it('takes one of them and refuses the others, naming the limit', async () => {
    const card = 'BEGIN:VCARD\r\nVERSION:4.0\r\nUID:a@example.com\r\nFN:A\r\nEND:VCARD\r\n';
    const outcomes = await Promise.allSettled([
      at.add('First'),
      at.add('Second'),
      at.vcards.import(card, at.caller()),
      at.add('Third'),
    ]);
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(refused).toHaveLength(3);
    for (const { reason } of refused) {
      expect(reason).toMatchObject({
        code: 'LIMIT_EXCEEDED',
        message: `An address book has at most ${CONTACTS_MAX} contacts.`,
      });
    }
    expect(await at.repository.count('usr_owner')).toBe(CONTACTS_MAX);
    await expect(at.add('Somebody else', 'other')).resolves.toMatchObject({
      name: 'Somebody else',
    });
  });
});
