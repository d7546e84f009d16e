import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OWNER, STRANGER, createMemory, type TestMemory } from '../../../test/factories/memory.js';
import { factSearchStatement } from './fact-search.query.js';
import { queryTerms } from './rules/terms.js';

/** As many facts of the owner, of which every hundredth is about coffee; and as many of others. */
const MANY = `
  INSERT INTO memory_facts (id, user_id, key, text, fingerprint, search, standing, source,
    confidence, version, held_from, created_at, updated_at)
  SELECT 'mem_' || lpad(n::text, 26, '0'),
         CASE WHEN n <= $2 THEN $1 ELSE 'usr_' || (n % 50) END,
         CASE WHEN n % 4 = 0 THEN 'key.' || n END,
         fact.text, n::text,
         array_to_tsvector(regexp_split_to_array(fact.terms, ' ')),
         n % 1000 = 0, 'imported', 0.8, 1, said.at, said.at, said.at
    FROM generate_series(1, 2 * $2) n,
         LATERAL (SELECT timestamptz '2026-01-01' + n * interval '1 minute') said (at),
         LATERAL (SELECT
           CASE WHEN n % 100 = 0 THEN '喜欢咖啡 number ' || n ELSE 'note number ' || n END,
           CASE WHEN n % 100 = 0 THEN '喜 欢 咖 啡 喜欢 欢咖 咖啡 number ' || n
             ELSE 'note number ' || n END) fact (text, terms)`;

describe('reading the memory', () => {
  let at: TestMemory;

  beforeAll(async () => {
    at = await createMemory();
  });
  afterAll(() => at.close());

  const search = async (query: string, fields: object = {}): Promise<string[]> => {
    const { items } = await at.reading.read({ mode: 'search', query, ...fields }, OWNER);
    return items.map(({ text }) => text);
  };

  describe('a few facts', () => {
    beforeAll(async () => {
      await at.empty();
      for (const [key, text] of [
        ['preference.drink', '喜欢喝美式咖啡，不加糖'],
        ['preference.meetings', 'Prefers meetings in the afternoon'],
        ['profile.name', 'Her full name is Amélie Dupont'],
        [undefined, '王总的助理叫小李'],
        [undefined, 'The Wi-Fi at the cabin is slow'],
        [undefined, "O'Brien likes C++ & \\ backslashes :* !"],
        ['家', '家在杭州西湖区'],
      ] as const) {
        await at.add({ ...(key ? { key } : {}), text });
      }
      await at.add({ text: 'Amélie belongs to somebody else, coffee too' }, STRANGER);
    });

    it.each([
      ['a word of two signs', '咖啡', '咖啡'],
      ['a single sign', '糖', '不加糖'],
      ['a question', '我喜欢喝什么咖啡？', '咖啡'],
      ['a name in Chinese', '王总', '小李'],
      ['the key', '家', '杭州'],
      ['a place inside a run', '西湖', '杭州'],
      ['an English word', 'afternoon', 'Prefers'],
      ['another case', 'AFTERNOON', 'Prefers'],
      ['full width', 'ａｆｔｅｒｎｏｏｎ', 'Prefers'],
      ['the beginning of a word', 'meet', 'Prefers'],
      ['another form', 'meeting', 'Prefers'],
      ['a longer form', 'afternoons', 'Prefers'],
      ['a misspelt word', 'afternon', 'Prefers'],
      ['an accent', 'amélie', 'Dupont'],
      ['a word of the key', 'drink', '咖啡'],
      ['a question in English', 'what is her name?', 'Dupont'],
      ['an apostrophe', "O'Brien", 'backslashes'],
      ['signs of the query language', "brien' | !x & (:* \\", 'backslashes'],
      ['mixed scripts', '美式coffee', '咖啡'],
    ])('finds by %s', async (_name, query, expected) => {
      expect((await search(query))[0]).toContain(expected);
    });

    it.each(['🎉', '?!', 'zebra stripes', '火锅', "' OR true --", 'somebody'])(
      'finds nothing by %s',
      async (query) => {
        expect(await search(query)).toEqual([]);
      },
    );

    it('takes any text for a query', async () => {
      for (const query of [':*', '&|!', "'", '\\', '(', 'a'.repeat(200), '咖'.repeat(200), 'is']) {
        expect(Array.isArray(await search(query))).toBe(true);
      }
    });

    it('ranks by relevance, then by recency and confidence', async () => {
      await at.add({ text: 'tea with milk', confidence: 0.9 });
      at.clock.pass(200);
      await at.add({ text: 'milk only', confidence: 0.9 });
      expect(await search('tea milk')).toEqual(['tea with milk', 'milk only']);
      expect(await search('milk')).toEqual(['milk only', 'tea with milk']);
    });
  });

  it('pages a list by the last said, and does not lose or double what did not change', async () => {
    await at.empty();
    for (const n of [1, 2, 3, 4, 5]) await at.add({ text: `fact ${n}` });
    const first = await at.reading.read({ mode: 'list', limit: 2 }, OWNER);
    expect(first).toMatchObject({ count: 2, items: [{ text: 'fact 5' }, { text: 'fact 4' }] });
    await at.add({ text: 'fact 6' });
    const cursor = first.nextCursor ?? '';
    const second = await at.reading.read({ mode: 'list', limit: 3, cursor }, OWNER);
    expect(second.items.map(({ text }) => text)).toEqual(['fact 3', 'fact 2', 'fact 1']);
    expect(second.nextCursor).toBeUndefined();
    const other = await at.reading.read({ mode: 'list', cursor }, STRANGER);
    expect(other).toEqual({ items: [], count: 0 });
  });

  it('pages a search in one order, whatever time goes by', async () => {
    await at.empty();
    for (const n of [1, 2, 3, 4, 5, 6, 7]) {
      await at.add({ text: `plan ${n}` });
      at.clock.pass(n);
    }
    const whole = await search('plan', { limit: 100 });
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await at.reading.read(
        { mode: 'search', query: 'plan', limit: 2, ...(cursor ? { cursor } : {}) },
        OWNER,
      );
      seen.push(...page.items.map(({ text }) => text));
      cursor = page.nextCursor;
      at.clock.pass(30);
      await at.add({ text: `plan of later ${seen.length}` });
    } while (cursor);
    expect(seen).toEqual(whole);
  });

  it.each([
    ['not base64', '%%%'],
    ['no list', Buffer.from('{}').toString('base64url')],
    ['of a search', Buffer.from(JSON.stringify([0, 0.5, 'mem_x', 'abc'])).toString('base64url')],
    ['a bad time', Buffer.from(JSON.stringify([1e99, 'mem_x'])).toString('base64url')],
  ])('refuses a cursor that is %s', async (_name, cursor) => {
    for (const input of [
      { mode: 'list', cursor },
      { mode: 'search', query: 'x', cursor },
    ] as const) {
      const work = Promise.resolve().then(() => at.reading.read(input, OWNER));
      await expect(work).rejects.toMatchObject({ details: { issues: [{ path: 'cursor' }] } });
    }
  });

  it.each([
    [{ mode: 'search' }, 'query'],
    [{ mode: 'list', query: 'x' }, 'query'],
    [{ mode: 'item' }, ''],
    [{ mode: 'item', key: 'a', fact_id: 'b' }, 'key'],
    [{ mode: 'item', key: 'a', limit: 3 }, 'limit'],
    [{ mode: 'search', query: 'x', key: 'a' }, 'key'],
  ] as const)('refuses %j', async (input, path) => {
    const work = Promise.resolve().then(() => at.reading.read({ ...input }, OWNER));
    await expect(work).rejects.toMatchObject({
      code: 'INVALID_ACTION_INPUT',
      details: { issues: [{ path: expect.stringContaining(path) }] },
    });
  });

  describe('20,000 facts', () => {
    beforeAll(async () => {
      await at.empty();
      await at.dataSource.query(MANY, [OWNER, 20_000]);
      await at.dataSource.query('VACUUM ANALYZE memory_facts');
    });

    async function plan(sql: string, parameters: unknown[]): Promise<string> {
      const rows = await at.dataSource.query<Record<string, string>[]>(
        `EXPLAIN ${sql}`,
        parameters,
      );
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    }

    it.each(['咖啡', '啡', 'number 777', 'nubmer 777', 'note'])(
      'searches %s by its indexes',
      async (query) => {
        const asOf = new Date('2027-01-01');
        const { sql, parameters } = factSearchStatement({
          userId: OWNER,
          terms: queryTerms(query),
          match: 'any',
          asOf,
          unexpiredAt: asOf,
        });
        const text = await plan(sql, parameters);
        expect(text).toContain('memory_facts_search');
        if (query === 'nubmer 777') expect(text).toContain('memory_facts_trigrams');
        expect(text).not.toContain('Seq Scan');
      },
    );

    /** The statements that `work` sends to the database. */
    async function statementsOf(work: () => Promise<unknown>): Promise<[string, unknown[]][]> {
      const sent: [string, unknown[]][] = [];
      const nothing = (): void => undefined;
      const { logger } = at.dataSource;
      at.dataSource.logger = {
        logQuery: (sql, parameters) =>
          void sent.push([sql, Array.isArray(parameters) ? parameters : []]),
        logQueryError: nothing,
        logQuerySlow: nothing,
        logSchemaBuild: nothing,
        logMigration: nothing,
        log: nothing,
      };
      try {
        await work();
      } finally {
        at.dataSource.logger = logger;
      }
      return sent.filter(([sql]) => /^\s*\(?\s*SELECT[^]*memory_(?:facts|history)/.test(sql));
    }

    it('reads lists, keys, doubles and standing facts by their indexes', async () => {
      const now = at.clock.now();
      const position = { updatedAt: new Date('2026-01-05'), id: 'mem_x' };
      const works: [string, () => Promise<unknown>][] = [
        ['facts_user_updated', () => at.reading.read({ mode: 'list' }, OWNER)],
        [
          'facts_user_updated',
          () => at.facts.list({ userId: OWNER, unexpiredAt: now, after: position, limit: 21 }),
        ],
        ['facts_user_key', () => at.facts.findByKey(OWNER, 'key.400')],
        ['facts_user_key', () => at.reading.read({ mode: 'list', key: 'key.400' }, OWNER)],
        ['facts_user_fingerprint', () => at.facts.findSame(OWNER, 'note number 7')],
        ['facts_user_standing', () => at.facts.standing(OWNER, now, 5)],
        ['facts_pk', () => at.facts.find(OWNER, 'mem_x')],
      ];
      for (const [index, work] of works) {
        const statements = await statementsOf(work);
        expect(statements).toHaveLength(1);
        for (const [sql, parameters] of statements) {
          const text = await plan(sql, parameters);
          expect(text).toContain(`memory_${index}`);
          expect(text).not.toContain('Seq Scan');
        }
      }
    });

    it('recalls for a message by its indexes', async () => {
      const budget = { items: 12, characters: 2000 };
      const statements = await statementsOf(() => at.recall.recall(OWNER, '喝咖啡', budget));
      expect(statements.length).toBeLessThanOrEqual(3);
      for (const [sql, parameters] of statements) {
        expect(await plan(sql, parameters)).not.toContain('Seq Scan');
      }
    });

    it('finds the needle, and everything about it in pages', async () => {
      at.clock.time = new Date('2026-03-01T00:00:00Z');
      expect((await search('number 19999'))[0]).toBe('note number 19999');
      expect(await search('咖啡', { limit: 100 })).toHaveLength(100);
    });
  });
});
