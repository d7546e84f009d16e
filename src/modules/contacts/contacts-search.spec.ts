import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createContacts, type TestContacts } from '../../../test/factories/contacts.js';
import {
  candidatesStatement,
  contactListStatement,
  similarStatement,
  type Statement,
} from './contact-search.query.js';
import { lookupKeys, personQuery } from './rules/match.js';

const COUNT = 20_000;

describe('searching', () => {
  let at: TestContacts;

  beforeAll(async () => {
    at = await createContacts();
    for (const input of [
      { name: 'Amy Chen', organization: 'Acme', phones: [{ value: '138 0013 8000' }] },
      { name: '王小明', organization: '示例科技', notes: '喜欢喝茶', groups: ['客户'] },
      { name: 'Zoë 100% Müller', emails: [{ value: 'zoe_m@example.com' }], groups: ['VIP'] },
    ]) {
      await at.add(input);
    }
    // As many again as the issue names, each with the keys that a written contact has.
    await at.dataSource.query(
      `INSERT INTO contacts
       SELECT 'con_' || lpad(n::text, 26, '0'), 'usr_owner', 'uid' || n, '{}', 'Person ' || n, name_parts,
              '{}', NULL, NULL, NULL, '[]', '[]', '[]', '[]', '{}', NULL, NULL, NULL, NULL, NULL,
              '[]', 1, now(), now(), 'person ' || n, 'person ' || n, 'person ' || n || ' 张' || n,
              ARRAY['n:person' || n],
              ARRAY['w:person', 'w:' || n, 'g:p', 'g:pe', 'g:' || left(n::text, 1), 'g:' || left(n::text, 2), 'g:张', 'm:张', 's:张' || (n % 500)]
         FROM contacts, generate_series(1, ${COUNT}) AS n
        WHERE name = 'Amy Chen'`,
    );
    await at.dataSource.query('ANALYZE contacts');
  });
  afterAll(() => at.close());

  const found = async (query: string, group?: string): Promise<string[]> => {
    const input = { query, ...(group ? { group } : {}), limit: 5 };
    return (await at.reading.list(input, at.caller())).items.map(({ name }) => name);
  };

  it.each<[string, string]>([
    ['amy', 'Amy Chen'],
    ['hen ac', 'Amy Chen'],
    ['am', 'Amy Chen'],
    ['ACME', 'Amy Chen'],
    ['138-0013', 'Amy Chen'],
    ['00138000', 'Amy Chen'],
    ['王', '王小明'],
    ['小明', '王小明'],
    ['科技', '王小明'],
    ['喝茶 王', '王小明'],
    ['wangxiao', '王小明'],
    ['100%', 'Zoë 100% Müller'],
    ['zoe_m@', 'Zoë 100% Müller'],
    ['muller', 'Zoë 100% Müller'],
  ])('finds %s in %s', async (query, name) => {
    expect(await found(query)).toEqual([name]);
  });

  it('keeps to the group', async () => {
    expect(await found('王', '客户')).toEqual(['王小明']);
    expect(await found('zo', 'vip')).toEqual(['Zoë 100% Müller']);
    expect(await found('amy', '客户')).toEqual([]);
  });

  it.each(['%', '_', '\\', "'; DROP TABLE contacts; --", '王%', '𠀀', '😀', '((', '小王明'])(
    'takes "%s" as it is written',
    async (query) => {
      expect(await found(query)).toEqual([]);
    },
  );

  it('pages through many, each once', async () => {
    const first = await at.reading.list({ query: 'person 1999', limit: 4 }, at.caller());
    expect(first.items.map(({ name }) => name)).toEqual(
      ['11999', '1999', '19990', '19991'].map((n) => `Person ${n}`),
    );
    const next = await at.reading.list(
      { query: 'person 1999', limit: 200, cursor: first.nextCursor ?? '' },
      at.caller(),
    );
    expect(next.count).toBe(8);
    expect(next.nextCursor).toBeUndefined();
  });

  describe('among 20,000 contacts', () => {
    async function plan({ sql, parameters }: Statement): Promise<string> {
      const rows = await at.dataSource.query<Record<string, string>[]>(
        `EXPLAIN (COSTS OFF) ${sql}`,
        parameters,
      );
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    }

    const list = (query: object): Statement => {
      const statement = contactListStatement({ ownerId: 'usr_owner', limit: 51, ...query });
      if (!statement) throw new Error('nothing to search for');
      return statement;
    };

    const candidates = (query: string): Statement =>
      candidatesStatement('usr_owner', lookupKeys(personQuery(query, 'CN')));

    it.each<[string, Statement, string]>([
      ['a page', list({}), 'contacts_owner_sort'],
      ['a later page', list({ after: { sortKey: 'p', id: 'con_1' } }), 'contacts_owner_sort'],
      ['one Chinese character', list({ query: '王' }), 'contacts_search'],
      ['two Chinese characters', list({ query: '小明' }), 'contacts_search'],
      ['three Chinese characters', list({ query: '王小明' }), 'contacts_search'],
      ['two letters', list({ query: 'am' }), 'contacts_search'],
      ['a word', list({ query: 'acme' }), 'contacts_search'],
      ['a number', list({ query: '138-0013-8000' }), 'contacts_search'],
      ['a group', list({ group: 'vip' }), 'contacts_search'],
      ['a form of address', candidates('王总'), 'contacts_search'],
      ['an email', candidates('amy@example.com'), 'contacts_search'],
      ['a name', candidates('Amy Chen'), 'contacts_search'],
      ['initials', candidates('wxm'), 'contacts_search'],
      ['a slip', similarStatement('usr_owner', 'jonh smith'), 'contacts_search'],
    ])('looks for %s by an index', async (_name, statement, index) => {
      const text = await plan(statement);
      expect(text).toContain(index);
      expect(text).not.toContain('Seq Scan');
    });

    it('does not pick among more than it looked at', async () => {
      expect(await at.reading.resolve('张7', at.caller())).toMatchObject({ ambiguous: false });
      const { ambiguous, candidates: several } = await at.reading.resolve('Person', at.caller());
      expect(ambiguous).toBe(true);
      expect(several).toHaveLength(10);
    });
  });
});
