import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { createTestDatabase } from '../../test/support/database.js';
import { Clock } from '../common/clock.js';
import { newId } from '../common/ids.js';
import { dataSourceOptions } from '../database/data-source.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { MessageEntity } from './entities/message.entity.js';
import { ThreadEntity } from './entities/thread.entity.js';
import { MessageStore } from './message.store.js';
import type { NewThreadMessage } from './thread-message.js';
import { ThreadRepository } from './thread.repository.js';
import { ThreadService } from './thread.service.js';
import { titleOf } from './thread.js';

describe('threads and messages', () => {
  let dataSource: DataSource;
  let drop: () => Promise<void>;
  let uow: UnitOfWork;
  let threads: ThreadService;
  let messages: MessageStore;

  const user = (threadId: string, content: string): NewThreadMessage => ({
    id: newId('msg'),
    threadId,
    runId: 'run_1',
    role: 'user',
    content,
    metadata: {},
    createdAt: new Date(),
  });

  beforeAll(async () => {
    const database = await createTestDatabase();
    drop = database.drop;
    dataSource = await new DataSource({
      ...dataSourceOptions({ url: database.url, poolSize: 8 }),
      entities: [ThreadEntity, MessageEntity],
    }).initialize();
    uow = new UnitOfWork(dataSource);
    threads = new ThreadService(new ThreadRepository(uow), uow, new Clock());
    messages = new MessageStore(uow);
  });

  afterAll(async () => {
    await dataSource.destroy();
    await drop();
  });

  it('gives a client-made id to one of the users who claim it at once', async () => {
    const claims = await Promise.allSettled(
      ['usr_a', 'usr_b', 'usr_c', 'usr_d'].map((userId) => threads.claim('shared-id', userId)),
    );
    const winners = claims.filter((claim) => claim.status === 'fulfilled');
    expect(winners).toHaveLength(1);
    for (const claim of claims) {
      if (claim.status === 'rejected') expect(claim.reason).toMatchObject({ code: 'NOT_FOUND' });
    }
  });

  it('gives a thread back to its owner, and to nobody else', async () => {
    const thread = await threads.claim(undefined, 'usr_owner', 'Plan the week');
    expect(await threads.claim(thread.id, 'usr_owner', 'later')).toEqual(thread);
    expect(thread.title).toBe('Plan the week');
    await expect(threads.require(thread.id, 'usr_other')).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    await expect(threads.delete(thread.id, 'usr_other')).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  it.each(['', 'a b', '../x', 'x\n', 'x'.repeat(129), '-x', 'é'])(
    'refuses the thread id %j',
    async (id) => {
      await expect(threads.claim(id, 'usr_owner')).rejects.toMatchObject({
        code: 'INVALID_ACTION_INPUT',
      });
    },
  );

  it('numbers messages of concurrent writers without gap or double', async () => {
    const { id } = await threads.claim(undefined, 'usr_seq');
    await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        uow.run(() => messages.appendAll([user(id, `${n}a`), user(id, `${n}b`)])),
      ),
    );
    const page = await messages.page(id, { limit: 100 });
    expect(page.map((message) => message.seq)).toEqual(
      Array.from({ length: 24 }, (_, n) => 24 - n),
    );
    for (let index = 0; index < 24; index += 2) {
      expect(page[index + 1]?.content.replace('a', 'b')).toBe(page[index]?.content);
    }
  });

  it('pages backwards and finds by id', async () => {
    const { id } = await threads.claim(undefined, 'usr_page');
    const stored = await messages.appendAll(['1', '2', '3', '4', '5'].map((n) => user(id, n)));
    const first = await messages.page(id, { limit: 2 });
    const second = await messages.page(id, { limit: 9, beforeSeq: first[1]?.seq ?? 0 });
    expect(first.map((message) => message.content)).toEqual(['5', '4']);
    expect(second.map((message) => message.content)).toEqual(['3', '2', '1']);
    expect(await messages.find(id, stored[2]?.id ?? '')).toEqual(stored[2]);
    expect(await messages.find('elsewhere', stored[2]?.id ?? '')).toBeNull();
  });

  it('ends a page of large messages early', async () => {
    const { id } = await threads.claim(undefined, 'usr_large');
    const large = 'x'.repeat(6 * 1024 * 1024);
    for (const n of ['1', '2', '3', '4', '5']) await messages.append(user(id, `${n}${large}`));
    const first = await messages.page(id, { limit: 10 });
    expect(first.map(({ seq }) => seq)).toEqual([5, 4, 3]);
    const second = await messages.page(id, { limit: 10, beforeSeq: 3 });
    expect(second.map(({ seq }) => seq)).toEqual([2, 1]);
    expect(await messages.page(id, { limit: 10, beforeSeq: 1 })).toEqual([]);
  });

  it('stores nothing in a thread that does not exist', async () => {
    await expect(messages.append(user('nowhere', 'x'))).rejects.toThrow('no thread');
  });

  it('lists newest first with cursors, and deletes with everything in it', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) ids.push((await threads.claim(undefined, 'usr_list')).id);
    await messages.append(user(ids[0] ?? '', 'moves to the top'));
    expect((await threads.latest('usr_list'))?.id).toBe(ids[0]);

    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await threads.list('usr_list', { limit: 2, ...(cursor && { cursor }) });
      seen.push(...page.threads.map((thread) => thread.id));
      cursor = page.nextCursor ?? undefined;
    } while (cursor);
    expect(new Set(seen).size).toBe(5);
    expect(seen).toHaveLength(5);

    await threads.delete(ids[0] ?? '', 'usr_list');
    expect(await messages.page(ids[0] ?? '', { limit: 5 })).toEqual([]);
    await expect(
      threads.delete(ids[1] ?? '', 'usr_list', () => Promise.reject(new Error('busy'))),
    ).rejects.toThrow('busy');
    expect((await threads.require(ids[1] ?? '', 'usr_list')).id).toBe(ids[1]);
  });

  it.each([
    '',
    'rubbish',
    '2020-01-01 x y',
    '2020-01-01T00:00:00.000Z a\0b',
    '+275760-09-13T00:00:00.000Z thr_1',
    '-271821-04-20T00:00:00.000Z thr_1',
    '0000-01-01T00:00:00.000Z thr_1',
  ])('refuses the cursor of %j', async (text) => {
    const cursor = Buffer.from(text).toString('base64url');
    await expect(threads.list('usr_list', { limit: 2, cursor })).rejects.toMatchObject({
      code: 'INVALID_ACTION_INPUT',
    });
  });

  it('makes a title of one line without splitting a grapheme', () => {
    expect(titleOf('  two\n lines ')).toBe('two lines');
    expect(titleOf('👨‍👩‍👧'.repeat(90))).toBe(`${'👨‍👩‍👧'.repeat(80)}…`);
  });

  it('has entities that agree with the migration', async () => {
    const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
    expect(
      upQueries.map(({ query }) => query).filter((query) => /agent_(threads|messages)/.test(query)),
    ).toEqual([]);
  });
});
