import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { OWNER, STRANGER, createMemory, type TestMemory } from '../../../test/factories/memory.js';
import { isJsonObject } from '../../common/json.js';
import { FORGET_MAX } from './memory.limits.js';

describe('forgetting', () => {
  let at: TestMemory;

  beforeAll(async () => {
    at = await createMemory();
  });
  beforeEach(() => at.empty());
  afterAll(() => at.close());

  /** Everything that the tables hold of a text. */
  const traces = async (text: string): Promise<number> => {
    const rows = await at.dataSource.query<{ row: string }[]>(
      `SELECT f::text AS row FROM memory_facts f UNION ALL SELECT h::text FROM memory_history h`,
    );
    return rows.filter(({ row }) => row.includes(text)).length;
  };
  const forget = (input: object, userId = OWNER) => at.forgetting.forget(input, userId);

  it('erases a fact by its id, with its history and without its text in the result', async () => {
    const id = await at.add({ key: 'city', text: 'Berlin' });
    await at.change({ key: 'city', text: 'Bonn' });
    await at.change({ key: 'other', text: 'stays' });
    const result = await forget({ fact_id: id });
    expect(result).toEqual({ forgotten: true, count: 1, items: [{ id, key: 'city' }] });
    expect([await traces('Berlin'), await traces('Bonn'), await traces('stays')]).toEqual([
      0, 0, 1,
    ]);
    await expect(forget({ fact_id: id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('erases a key with its history; several facts are shown first', async () => {
    await at.change({ key: 'pet', text: 'cat' });
    await at.change({ key: 'pet', text: 'dog' });
    expect(await forget({ key: 'Pet' })).toMatchObject({ forgotten: true, count: 1 });
    expect(await traces('cat')).toBe(0);

    await at.change({ operation: 'append', key: 'pet', text: 'cat' });
    await at.change({ operation: 'append', key: 'pet', text: 'dog' });
    const shown = await forget({ key: 'pet' });
    expect(shown).toMatchObject({ forgotten: false, items: [{ text: 'cat' }, { text: 'dog' }] });
    expect(await traces('cat')).toBe(1);
    const { confirm = '' } = shown;
    expect(await forget({ key: 'pet', confirm })).toMatchObject({ forgotten: true, count: 2 });
    expect(await traces('dog')).toBe(0);
  });

  it('erases a key of which only history is left', async () => {
    await at.change({ key: 'pet', text: 'cat' });
    await at.change({ operation: 'remove', key: 'pet' });
    expect(await traces('cat')).toBe(1);
    expect(await forget({ key: 'pet' })).toEqual({ forgotten: true, count: 0, items: [] });
    expect(await traces('cat')).toBe(0);
    await expect(forget({ key: 'pet' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('erases by query only what was confirmed', async () => {
    await at.change({ text: 'the spring conference is in Kyoto' });
    await at.change({ text: 'the spring conference needs a talk' });
    await at.change({ text: 'spring is nice' });
    const shown = await forget({ query: 'spring conference' });
    expect(shown).toMatchObject({ forgotten: false, count: 2, confirm: expect.any(String) });
    const { confirm = '' } = shown;
    await expect(forget({ query: 'spring', confirm })).rejects.toMatchObject({ code: 'CONFLICT' });
    await at.change({ text: 'the spring conference was moved' });
    const stale = forget({ query: 'spring conference', confirm });
    await expect(stale).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await traces('conference')).toBe(3);
    const again = await forget({ query: 'spring conference' });
    const done = await forget({ query: 'spring conference', confirm: again.confirm });
    expect(done).toMatchObject({ forgotten: true, count: 3 });
    expect([await traces('conference'), await traces('nice')]).toEqual([0, 1]);
  });

  it('erases a bounded number by query', async () => {
    await at.dataSource.query(
      `INSERT INTO memory_facts SELECT 'mem_' || lpad(n::text, 26, '0'), $1, null, 'note ' || n,
         n::text, array_to_tsvector(ARRAY['note', n::text]), false, 'imported', null, 1, 1, null,
         '2026-01-01', '2026-01-01', '2026-01-01'
       FROM generate_series(1, $2::int) n`,
      [OWNER, FORGET_MAX + 1],
    );
    await expect(forget({ query: 'note' })).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
      message: expect.stringContaining(String(FORGET_MAX)),
    });
    expect(await forget({ query: 'note 7' })).toMatchObject({ count: 1, forgotten: false });
  });

  it.each([{}, { key: 'a', query: 'b' }, { fact_id: 'a', confirm: 'b' }, { confirm: 'b' }])(
    'refuses %j',
    async (input) => {
      await at.change({ key: 'a', text: 'b' });
      await expect(forget(input)).rejects.toMatchObject({ code: expect.stringMatching(/INVALID/) });
      expect(await traces('b')).toBe(1);
    },
  );

  it('erases everything of one user and nothing of others', async () => {
    await at.change({ key: 'a', text: 'mine' });
    await at.change({ key: 'a', text: 'mine too' });
    await at.change({ text: 'mine as well', expires_at: '2026-04-21T00:00:00Z' });
    await at.change({ key: 'a', text: 'theirs' }, STRANGER);
    at.clock.pass(10);
    expect(await at.forgetting.eraseAll(OWNER)).toEqual({ erased: true, count: 2 });
    expect([await traces('mine'), await traces('theirs')]).toEqual([0, 1]);
    expect(await at.forgetting.eraseAll(OWNER)).toEqual({ erased: true, count: 0 });
  });

  it('exports everything, and nothing of others', async () => {
    const parse = async (userId: string): Promise<unknown> => {
      let text = '';
      for await (const piece of at.exporting.document(userId)) text += piece;
      return JSON.parse(text);
    };
    expect(await parse(OWNER)).toMatchObject({ format: 'steward.memory', facts: [], history: [] });
    await at.dataSource.query(
      `INSERT INTO memory_facts SELECT 'mem_' || lpad(n::text, 26, '0'), $1, null, 'note ' || n,
         n::text, ''::tsvector, false, 'imported', null, 1, 1, '2026-02-01', '2026-01-01',
         '2026-01-01', '2026-01-01'
       FROM generate_series(1, 1201) n`,
      [OWNER],
    );
    for (const text of ['one', '2 "\n</x>', 'three']) await at.change({ key: 'k', text });
    await at.change({ text: 'theirs' }, STRANGER);
    const all = await parse(OWNER);
    if (!isJsonObject(all)) throw new Error('not an object');
    expect(all.facts).toHaveLength(1202);
    expect(all.history).toMatchObject([{ text: 'one' }, { text: '2 "\n</x>' }]);
    expect(JSON.stringify(all)).not.toContain('theirs');
  });
});
