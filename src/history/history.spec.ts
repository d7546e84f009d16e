import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiClient } from '../../test/support/api-client.js';
import { toChatItems } from '../../test/support/chat-items.js';
import { play, RUN_SCRIPTS } from '../../test/support/run-script.js';
import { startTestApp, type TestApp } from '../../test/support/test-app.js';
import { RunFactsModule } from '../agent/runs/run-facts.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { MessageStore } from '../threads/message.store.js';
import { ThreadService } from '../threads/thread.service.js';
import { ToolRouterModule } from '../tool-router/tool-router.module.js';
import type { ChatItem } from './chat-item.js';
import { HistoryModule } from './history.module.js';
import { encodeHistoryCursor } from './history-cursor.js';

describe('history', () => {
  let server: TestApp;
  let amy: ApiClient;
  let ben: ApiClient;

  beforeAll(async () => {
    server = await startTestApp({
      modules: [AuthModule, RunFactsModule, ToolRouterModule, HistoryModule],
      env: { RATE_LIMIT_PER_MINUTE: '10000' },
    });
    amy = await new ApiClient(server.url).register();
    ben = await new ApiClient(server.url).register();
  });
  afterAll(async () => {
    await server.close();
  });

  /** A thread with the runs of all scripts; returns what its history is to say. */
  const fill = async (owner: ApiClient): Promise<{ threadId: string; items: ChatItem[] }> => {
    const { id } = await server.app.get(ThreadService).claim(undefined, owner.userId);
    const items: ChatItem[] = [];
    for (const [index, script] of Object.values(RUN_SCRIPTS).entries()) {
      const { messages } = await play(script, id, `${id}-${index}`);
      await server.app.get(MessageStore).appendAll(messages);
      items.push(...toChatItems(messages));
    }
    return { threadId: id, items };
  };

  it('has nothing before the first message', async () => {
    expect((await ben.get('/agent/history')).body).toEqual({
      threadId: null,
      messages: [],
      nextCursor: null,
      interrupts: [],
      pendingCalls: [],
    });
  });

  it('gives the conversation in pages: newest first, each oldest to newest', async () => {
    const { threadId, items } = await fill(amy);
    expect(items.length).toBeGreaterThan(20);
    for (const limit of [1, 7, items.length - 1, items.length, 200]) {
      const pages: ChatItem[][] = [];
      let cursor: string | null = null;
      do {
        const from: string = cursor === null ? '' : `&cursor=${cursor}`;
        const answer = await amy.get(`/agent/runs/${threadId}/history?limit=${limit}${from}`);
        expect(answer).toMatchObject({ status: 200, body: { threadId } });
        pages.unshift(answer.body.messages as ChatItem[]);
        cursor = answer.body.nextCursor as string | null;
      } while (cursor !== null);
      expect(pages.flat()).toEqual(JSON.parse(JSON.stringify(items)));
      expect(pages.slice(1).every((page) => page.length === limit)).toBe(true);
      expect(pages[0]?.length).toBeGreaterThan(0);
    }
  });

  it('keeps its place when messages are added between two pages', async () => {
    const { threadId, items } = await fill(amy);
    const first = await amy.get(`/agent/runs/${threadId}/history?limit=5`);
    const { messages } = await play(
      { question: 'later', turns: [], unfinished: [], outcome: 'success' },
      threadId,
      `${threadId}-later`,
    );
    await server.app.get(MessageStore).appendAll(messages);
    const cursor = String(first.body.nextCursor);
    const second = await amy.get(`/agent/history?limit=5&cursor=${cursor}`);
    const ids = (second.body.messages as ChatItem[]).map((item) => item.id);
    expect(ids).toEqual(items.slice(-10, -5).map((item) => item.id));
  });

  it('is that of the most recent thread without a thread id, also for the older pages', async () => {
    const older = await fill(amy);
    const newer = await fill(amy);
    const latest = await amy.get('/agent/history?limit=3');
    expect(latest.body.threadId).toBe(newer.threadId);
    const named = await amy.get(`/agent/history?threadId=${older.threadId}`);
    expect(named.body).toMatchObject({ threadId: older.threadId, nextCursor: null });
  });

  it('shows tool messages with their card and never their hints', async () => {
    const { threadId } = await fill(amy);
    const answer = await amy.get(`/agent/runs/${threadId}/history?limit=200`);
    const tools = (answer.body.messages as ChatItem[]).filter((item) => item.role === 'tool');
    expect(tools.some((item) => item.ui_schema)).toBe(true);
    expect(tools.every((item) => item.summary && item.status && item.toolCallId)).toBe(true);
    expect(JSON.stringify(answer.body)).not.toContain('ui_hints');
  });

  it("refuses bad queries and does not know others' threads", async () => {
    const { threadId } = await fill(amy);
    const other = encodeHistoryCursor({ threadId: 'thr_other', beforeSeq: 3 });
    for (const query of [
      'limit=0',
      'limit=201',
      'limit=x',
      'limit=',
      'cursor=x',
      'cursor=',
      `cursor=${other}`,
      'foo=1',
      'limit=1&limit=2',
    ]) {
      const answer = await amy.get(`/agent/runs/${threadId}/history?${query}`);
      expect([query, answer.status, answer.body.code]).toEqual([
        query,
        400,
        'INVALID_ACTION_INPUT',
      ]);
    }
    for (const path of [`/agent/runs/${threadId}/history`, `/agent/history?threadId=${threadId}`]) {
      expect(await ben.get(path)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
      expect(await new ApiClient(server.url).get(path)).toMatchObject({ status: 401 });
    }
    const cursor = encodeHistoryCursor({ threadId, beforeSeq: 3 });
    expect(await ben.get(`/agent/history?cursor=${cursor}`)).toMatchObject({ status: 404 });
    // A cursor names its thread itself: what no thread can be called never reaches the database.
    const forged = encodeHistoryCursor({ threadId: 'a\0b', beforeSeq: 3 });
    expect(await ben.get(`/agent/history?cursor=${forged}`)).toMatchObject({ status: 400 });
  });
});
