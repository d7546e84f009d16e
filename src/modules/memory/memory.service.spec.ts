import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { OWNER, STRANGER, createMemory, type TestMemory } from '../../../test/factories/memory.js';
import { FACTS_MAX, LIST_MAX } from './memory.limits.js';

describe('changes of the memory', () => {
  let at: TestMemory;

  beforeAll(async () => {
    at = await createMemory();
  });
  beforeEach(() => at.empty());
  afterAll(() => at.close());

  const texts = async (userId = OWNER): Promise<string[]> => {
    const { items } = await at.reading.read({ mode: 'list', limit: 100 }, userId);
    return items.map(({ text }) => text).toSorted();
  };
  const refusal = async (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => 'ok',
      (error: { code?: unknown }) => error.code,
    );

  it('remembers a fact with its source, run, time and confidence', async () => {
    const { fact, ...change } = await at.change({ key: 'Favorite Drink', text: ' 美式咖啡 ' });
    expect(change).toEqual({
      index: 0,
      operation: 'set',
      status: 'remembered',
      key: 'favorite_drink',
      before: [],
    });
    const now = at.clock.now().toISOString();
    expect(fact).toEqual({
      id: expect.stringMatching(/^mem_[0-9A-Z]{26}$/),
      key: 'favorite_drink',
      text: '美式咖啡',
      source: 'agent_inferred',
      runId: 'run_1',
      confidence: 0.6,
      version: 1,
      createdAt: now,
      updatedAt: now,
    });
  });

  it('supersedes another value of the key, and keeps it in the history', async () => {
    const id = await at.add({ key: 'city', text: 'Berlin' });
    await at.change({ key: 'city', text: 'Hamburg', source: 'user_said' });
    const change = await at.change({ key: 'city', text: 'Munich', source: 'user_said' });
    expect(change).toMatchObject({
      status: 'updated',
      before: ['Hamburg'],
      fact: { id, version: 3, text: 'Munich', confidence: 1 },
    });
    expect(await texts()).toEqual(['Munich']);
    const { items, history } = await at.reading.read({ mode: 'item', key: 'city' }, OWNER);
    expect(items.map(({ text }) => text)).toEqual(['Munich']);
    expect(history).toMatchObject([
      { id, version: 2, text: 'Hamburg', source: 'user_said', reason: 'superseded' },
      { id, version: 1, text: 'Berlin', source: 'agent_inferred', reason: 'superseded' },
    ]);
    expect(history?.[0]?.heldFrom).toBe(history?.[1]?.heldUntil);
    const found = await at.reading.read({ mode: 'search', query: 'Berlin Hamburg' }, OWNER);
    expect(found.items).toEqual([]);
  });

  it.each([
    ['the same', 'Likes coffee', 'Likes coffee'],
    ['another case, width and end', 'Likes coffee', '  ＬＩＫＥＳ   coffee!! '],
    ['Chinese with a full stop', '喜欢咖啡', '喜欢咖啡。'],
  ])('does not store twice what is %s', async (_name, first, again) => {
    for (const key of [undefined, 'drink']) {
      await at.empty();
      const named = key === undefined ? {} : { key };
      const id = await at.add({ ...named, text: first });
      const change = await at.change({ ...named, text: again, source: 'user_said' });
      expect(change).toMatchObject({
        status: 'unchanged',
        fact: { id, text: first, source: 'user_said', confidence: 1, version: 2 },
      });
      expect((await at.change({ ...named, text: again })).fact?.version).toBe(2);
      expect(await texts()).toEqual([first]);
    }
  });

  it('finds what is said without key among the facts with one', async () => {
    const id = await at.add({ key: 'drink', text: 'Likes coffee' });
    expect(await at.change({ text: 'likes coffee' })).toMatchObject({
      status: 'unchanged',
      fact: { id, key: 'drink' },
    });
  });

  it('appends to a list once each, and a set ends the list', async () => {
    for (const text of ['peanuts', 'milk', 'Peanuts.']) {
      await at.change({ operation: 'append', key: 'allergies', text });
    }
    expect(await texts()).toEqual(['milk', 'peanuts']);
    const gone = await at.change({ operation: 'remove', key: 'allergies', text: 'MILK' });
    expect(gone).toMatchObject({ status: 'removed', before: ['milk'] });
    expect(gone.fact).toBeUndefined();
    await at.change({ operation: 'append', key: 'allergies', text: 'eggs' });
    const set = await at.change({ key: 'allergies', text: 'eggs' });
    expect(set).toMatchObject({ status: 'updated', before: ['peanuts'], fact: { text: 'eggs' } });
    const { history } = await at.reading.read({ mode: 'item', key: 'allergies' }, OWNER);
    expect(history?.map(({ text, reason }) => [text, reason])).toEqual([
      ['peanuts', 'superseded'],
      ['milk', 'removed'],
    ]);
  });

  it('removes by id, by key and by the very text', async () => {
    const id = await at.add({ text: 'one' });
    await at.change({ key: 'k', text: 'two' });
    await at.change({ operation: 'append', key: 'k', text: 'three' });
    await at.change({ text: 'four' });
    await at.change({ operation: 'remove', fact_id: id });
    expect((await at.change({ operation: 'remove', key: 'k' })).before).toEqual(['two', 'three']);
    await at.change({ operation: 'remove', text: 'Four!' });
    expect(await texts()).toEqual([]);
    for (const nothing of [{ fact_id: id }, { key: 'k' }, { text: 'four' }]) {
      const work = at.change({ operation: 'remove', ...nothing });
      expect(await refusal(work)).toBe('NOT_FOUND');
    }
  });

  it('sets a fact by its id', async () => {
    const id = await at.add({ key: 'city', text: 'Berlin' });
    const change = await at.change({ fact_id: id, text: 'Bern', source: 'user_said' });
    expect(change).toMatchObject({
      status: 'updated',
      before: ['Berlin'],
      fact: { id, key: 'city', version: 2, source: 'user_said' },
    });
  });

  it('lets each operation of a batch fail alone', async () => {
    const result = await at.memory.update(
      {
        operations: [
          { key: 'city', text: 'Berlin' },
          { operation: 'append', text: 'no key' },
          { operation: 'remove', key: 'nothing' },
          { text: 'x', expires_at: '2020-01-01T00:00:00Z' },
          { key: 'wifi.password', text: 'hunter2' },
          { key: 'city', text: 'Bern' },
        ],
      },
      at.caller(),
    );
    expect(result).toMatchObject({ count: 2, failed: 4 });
    expect(result.items.map(({ status, error }) => error?.code ?? status)).toEqual([
      'remembered',
      'INVALID_ACTION_INPUT',
      'NOT_FOUND',
      'INVALID_ACTION_INPUT',
      'CREDENTIAL_IN_INPUT',
      'updated',
    ]);
    expect(JSON.stringify(result)).not.toContain('hunter2');
    expect(await texts()).toEqual(['Bern']);
  });

  it('fails as a whole when nothing of a batch succeeds', async () => {
    const operations = [
      { operation: 'remove' as const, key: 'a' },
      { operation: 'append' as const },
    ];
    await expect(at.memory.update({ operations }, at.caller())).rejects.toMatchObject({
      code: 'NOT_FOUND',
      details: { issues: [{ path: 'operations.0' }, { path: 'operations.1' }] },
    });
    const mixed = { operations: [{ text: 'a' }], text: 'b' };
    expect(await refusal(at.memory.update(mixed, at.caller()))).toBe('INVALID_ACTION_INPUT');
  });

  it('refuses credentials, in words and by name, without echoing them', async () => {
    const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJlLXNpZ25hdHVyZQ';
    const id = await at.add({ key: 'note', text: 'nothing' });
    for (const work of [
      () => at.change({ text: `the header is Bearer ${jwt}` }),
      () => at.change({ key: 'api_key', text: 'abc' }),
      () => at.change({ key: 'Bank.Password', text: 'abc' }),
      () => at.change({ text: '{"token":"abc"}' }),
      () => at.memory.correct(id, { text: jwt }, at.caller()),
      () => at.memory.correct(id, { key: 'mail.password' }, at.caller()),
    ]) {
      const error: unknown = await work().catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: 'CREDENTIAL_IN_INPUT' });
      expect(JSON.stringify(error)).not.toMatch(/abc|eyJ/);
    }
    expect(await texts()).toEqual(['nothing']);
  });

  it('forgets that a fact held when it expires, and takes it up again', async () => {
    const id = await at.add({ key: 'mood', text: 'tired', expires_at: '2026-04-21T00:00:00Z' });
    at.clock.pass(2);
    expect(await texts()).toEqual([]);
    expect((await at.reading.read({ mode: 'item', key: 'mood' }, OWNER)).items).toEqual([]);
    const all = await at.reading.read({ mode: 'list', include_expired: true }, OWNER);
    expect(all.items).toMatchObject([{ id, expired: true }]);
    const again = await at.change({ key: 'mood', text: 'tired' });
    expect(again).toMatchObject({ status: 'remembered', before: [], fact: { id, version: 2 } });
    expect(again.fact).not.toHaveProperty('expiresAt');
    await at.change({ key: 'mood', text: 'fine', expires_at: '2026-05-01T00:00:00+02:00' });
    at.clock.pass(30);
    const next = await at.change({ key: 'mood', text: 'bored' });
    expect(next).toMatchObject({ status: 'updated', before: [] });
    const { history } = await at.reading.read({ mode: 'item', key: 'mood' }, OWNER);
    expect(history?.[0]).toMatchObject({ text: 'fine', heldUntil: '2026-04-30T22:00:00.000Z' });
  });

  it('corrects by id: history, version, doubles', async () => {
    const id = await at.add({ key: 'city', text: 'Berlin' });
    const other = await at.add({ operation: 'append', key: 'city', text: 'Bonn' });
    at.clock.pass();
    const correct = (change: object) =>
      at.memory.correct(id, change, { userId: OWNER, runId: null, source: 'user_said' });
    expect(await correct({ text: 'Bern', expected_version: 1 })).toMatchObject({
      id,
      text: 'Bern',
      version: 2,
      source: 'user_said',
    });
    expect(await correct({ text: 'Bern' })).toMatchObject({ version: 2 });
    expect(await correct({ confidence: 0.5 })).toMatchObject({ version: 3, confidence: 0.5 });
    expect(await refusal(correct({ text: 'x', expected_version: 1 }))).toBe('CONFLICT');
    expect(await refusal(correct({ text: 'BONN' }))).toBe('CONFLICT');
    expect(await correct({ key: '' })).not.toHaveProperty('key');
    const { history } = await at.reading.item(id, OWNER);
    expect(history?.map(({ text, reason }) => [text, reason])).toEqual([
      ['Bern', 'corrected'],
      ['Berlin', 'corrected'],
    ]);
    expect((await at.reading.item(other, OWNER)).history).toEqual([]);
  });

  it('bounds a list', async () => {
    await at.dataSource.query(
      `INSERT INTO memory_facts SELECT 'mem_' || lpad(n::text, 26, '0'), $1, 'list', 'text ' || n,
         n::text, ''::tsvector, false, 'imported', null, 1, 1, null, now(), now(), now()
       FROM generate_series(1, $2::int) n`,
      [OWNER, LIST_MAX],
    );
    const full = at.change({ operation: 'append', key: 'list', text: 'one more' });
    await expect(full).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
      message: expect.stringContaining(String(LIST_MAX)),
    });
    const id = await at.add({ text: 'loose' });
    const moved = at.memory.correct(id, { key: 'list' }, at.caller());
    expect(await refusal(moved)).toBe('LIMIT_EXCEEDED');
    await at.change({ key: 'list', text: 'the only one' });
    const { items, history } = await at.reading.read({ mode: 'item', key: 'list' }, OWNER);
    expect([items.length, history?.length]).toEqual([1, 50]);
  });

  it('bounds what is remembered of one person, and says the limit', async () => {
    await at.dataSource.query(
      `INSERT INTO memory_facts SELECT 'mem_' || lpad(n::text, 26, '0'), $1, null, 'text ' || n,
         n::text, ''::tsvector, false, 'imported', null, 1, 1, null, now(), now(), now()
       FROM generate_series(1, $2::int) n`,
      [OWNER, FACTS_MAX],
    );
    await expect(at.change({ text: 'one more' })).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
      message: expect.stringContaining(String(FACTS_MAX)),
    });
    expect(await at.change({ text: 'of somebody else' }, STRANGER)).toMatchObject({
      status: 'remembered',
    });
  });

  it('keeps one of two values that are said at once', async () => {
    const said = ['red', 'blue', 'green', 'Red', 'blue'];
    await Promise.all(said.map((text) => at.memory.update({ key: 'colour', text }, at.caller())));
    await Promise.all(said.map((text) => at.memory.update({ text }, at.caller())));
    const { items } = await at.reading.read({ mode: 'item', key: 'colour' }, OWNER);
    expect(items).toHaveLength(1);
    const all = await texts();
    expect(new Set(all.map((text) => text.toLowerCase())).size).toBe(all.length);
  });

  it('keeps users apart: the same keys and texts never meet', async () => {
    await at.change({ key: 'city', text: 'Berlin' });
    expect(await at.change({ key: 'city', text: 'Berlin' }, STRANGER)).toMatchObject({
      status: 'remembered',
    });
    await at.change({ key: 'city', text: 'Rome' }, STRANGER);
    expect([await texts(), await texts(STRANGER)]).toEqual([['Berlin'], ['Rome']]);
  });
});
