import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createParser } from 'eventsource-parser';
import { DataSource } from 'typeorm';
import { ApiClient } from '../../test/support/api-client.js';
import { RUN_SCRIPTS, play } from '../../test/support/run-script.js';
import { idsWithin, sleepingClient } from '../../test/streams/crowd.js';
import { startTestApp, type TestApp } from '../../test/support/test-app.js';
import { AuthModule } from '../auth/auth.module.js';
import { newId } from '../common/ids.js';
import { EventLog } from '../events/event-log.js';
import type { NewRunEvent } from '../events/run-event.js';
import { ThreadService } from '../threads/thread.service.js';
import { SseModule } from './sse.module.js';

const script = (name: string) => {
  const found = RUN_SCRIPTS[name];
  if (!found) throw new Error(`no script ${name}`);
  return found;
};

describe('GET /agent/runs/{threadId}/events', () => {
  let server: TestApp;
  let log: EventLog;
  let amy: ApiClient;
  let ben: ApiClient;

  beforeAll(async () => {
    server = await startTestApp({
      modules: [AuthModule, SseModule],
      env: { SSE_HEARTBEAT_MS: '100', RATE_LIMIT_PER_MINUTE: '10000' },
    });
    log = server.app.get(EventLog);
    amy = await new ApiClient(server.url).register();
    ben = await new ApiClient(server.url).register();
  });
  afterAll(async () => {
    await server.close();
  });

  /** A thread of Amy's with the runs of these scripts; returns their events' ids by run. */
  const threadWith = async (...names: string[]): Promise<{ threadId: string; runs: string[] }> => {
    const { id: threadId } = await server.app.get(ThreadService).claim(undefined, amy.userId);
    const runs: string[] = [];
    for (const name of names) {
      const runId = newId('run');
      runs.push(runId);
      const { events } = await play(script(name), threadId, runId);
      await log.append(
        threadId,
        runId,
        events.map(({ event }) => event),
      );
    }
    return { threadId, runs };
  };
  const path = (threadId: string, query = ''): string => `/agent/runs/${threadId}/events${query}`;
  const frames = async (at: string, headers: Record<string, string> = {}) => {
    const all = [];
    for await (const frame of amy.frames(at, { headers })) all.push(frame);
    return all;
  };

  it('sends the last run from its start, and ends after its terminal event', async () => {
    const { threadId, runs } = await threadWith('text only', 'a call with a card');
    const got = await frames(path(threadId));
    const head = await log.head(threadId);
    const first = (await log.lastRun(threadId))?.startId ?? 0;
    expect(got.map((frame) => Number(frame.id))).toEqual(
      Array.from({ length: head - first + 1 }, (_, n) => first + n),
    );
    expect(got[0]?.event).toMatchObject({ type: 'RUN_STARTED', runId: runs[1] });
    expect(got.at(-1)?.event.type).toBe('RUN_FINISHED');
  });

  it('has the headers and the bytes that proxies and parsers need', async () => {
    const { threadId } = await threadWith('text only');
    const response = await amy.raw(path(threadId));
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-cache, no-transform');
    expect(response.headers.get('x-accel-buffering')).toBe('no');
    expect(response.headers.get('content-encoding')).toBeNull();
    const body = await response.text();
    expect(body).not.toContain('\r');
    expect(body).not.toMatch(/^(event|retry):/m);
    expect(body).not.toMatch(/^data:\s*$/m);
    expect(body).not.toContain('[DONE]');
    for (const block of body.split('\n\n').filter((part) => part !== '')) {
      expect(block).toMatch(/^(id: \d+\ndata: \{.*\}|: keep-alive)$/);
    }
    expect(body.endsWith('\n\n')).toBe(true);
  });

  it('resumes at every id, by header or query, the header first', async () => {
    const { threadId } = await threadWith('an error at once', 'text only');
    const head = await log.head(threadId);
    for (let after = 0; after < head; after += 1) {
      const expected = Array.from({ length: head - after }, (_, n) => after + 1 + n);
      const ids = async (query: string, headers = {}): Promise<number[]> =>
        (await frames(path(threadId, query), headers)).map((frame) => Number(frame.id));
      expect(await ids(`?after=${after}`)).toEqual(expected);
      expect(await ids('?after=0', { 'last-event-id': String(after) })).toEqual(expected);
    }
  });

  it('answers 204 when the last run is over and seen', async () => {
    const { threadId } = await threadWith('cancelled in the middle of a text');
    const head = await log.head(threadId);
    const response = await amy.raw(path(threadId), { headers: { 'last-event-id': String(head) } });
    expect(response.status).toBe(204);
    expect(await response.text()).toBe('');
    // An id that this log never gave out is no reason to stay silent.
    expect(await frames(path(threadId, `?after=${head + 1}`))).toHaveLength(head);
  });

  it('goes on with what is appended, and waits for a run that has not begun', async () => {
    const { threadId } = await threadWith();
    const { events } = await play(script('text only'), threadId, 'run_live');
    const reading = frames(path(threadId));
    for (const { event } of events) await log.append(threadId, 'run_live', [event]);
    const got = await reading;
    expect(got.map((frame) => frame.event.type)).toEqual(events.map(({ event }) => event.type));
  });

  it('comments while nothing happens', async () => {
    const { threadId } = await threadWith();
    const stop = new AbortController();
    const response = await amy.raw(path(threadId), { signal: stop.signal });
    let comments = 0;
    const parser = createParser({ onEvent: () => undefined, onComment: () => (comments += 1) });
    const decoder = new TextDecoder();
    for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
      parser.feed(decoder.decode(chunk, { stream: true }));
      if (comments === 3) break;
    }
    stop.abort();
    expect(comments).toBe(3);
  });

  it('refuses what is not an id or an encoding with a problem document', async () => {
    const { threadId } = await threadWith('text only');
    for (const query of [
      '?after=x',
      '?after=-1',
      '?after=1.5',
      '?after=',
      '?encoding=xml',
      '?wire=v2',
      '?foo=1',
      '?after=1&after=2',
    ]) {
      const answer = await amy.get(path(threadId, query));
      expect([query, answer.status, answer.body.code]).toEqual([
        query,
        400,
        'INVALID_ACTION_INPUT',
      ]);
      expect(answer.headers.get('content-type')).toContain('application/problem+json');
    }
    for (const id of ['x', '-1', '99999999999999999999']) {
      const answer = await amy.get(path(threadId), { 'last-event-id': id });
      expect([id, answer.status, answer.body.code]).toEqual([id, 400, 'INVALID_ACTION_INPUT']);
    }
  });

  it('does not know threads of others, and nobody without a token', async () => {
    const { threadId } = await threadWith('text only');
    expect(await ben.get(path(threadId))).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND' },
    });
    expect(await amy.get(path('thr_none'))).toMatchObject({ status: 404 });
    expect(await amy.get(path('%00'))).toMatchObject({ status: 400 });
    expect(await new ApiClient(server.url).get(path(threadId))).toMatchObject({ status: 401 });
  });

  it('answers HEAD without a stream', async () => {
    const { threadId } = await threadWith();
    const response = await amy.raw(path(threadId), { method: 'HEAD' });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  });

  it('limits the streams of a user, and gives a place back when a client leaves', async () => {
    const { threadId } = await threadWith();
    const stop = new AbortController();
    const open = await Promise.all(
      Array.from({ length: 50 }, () => amy.raw(path(threadId), { signal: stop.signal })),
    );
    expect(open.every((response) => response.status === 200)).toBe(true);
    const refused = await amy.get(path(threadId));
    expect(refused).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } });
    expect(refused.headers.get('retry-after')).not.toBeNull();
    stop.abort();
    await Promise.allSettled(open.map((response) => response.text()));
    for (;;) {
      const again = new AbortController();
      const response = await amy.raw(path(threadId), { signal: again.signal });
      again.abort();
      if (response.status === 200) break;
    }
  });

  it('holds neither the log nor other clients for one that does not read', async () => {
    const { threadId } = await threadWith();
    const { hostname, port } = new URL(server.url);
    const lazy = connect(Number(port), hostname);
    lazy.write(
      `GET /api/v1${path(threadId)} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: Bearer ${amy.token}\r\n\r\n`,
    );
    await new Promise((resolve) => lazy.once('data', resolve));
    lazy.pause();
    const runId = newId('run');
    const delta = 'x'.repeat(64 * 1024);
    const reading = frames(path(threadId));
    const [start, ...rest] = (await play(script('nothing said'), threadId, runId)).events.map(
      ({ event }) => event,
    );
    if (!start) throw new Error('no start');
    await log.append(threadId, runId, [start]);
    const bulk: NewRunEvent = { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta };
    // 16 MB: more than the socket buffers of both sides hold.
    for (let n = 0; n < 32; n += 1)
      await log.append(threadId, runId, [bulk, bulk, bulk, bulk, bulk, bulk, bulk, bulk]);
    await log.append(threadId, runId, rest);
    expect(await reading).toHaveLength(257 + rest.length);
    // The one that slept reads on where it was.
    const ids: number[] = [];
    const parser = createParser({ onEvent: ({ id }) => ids.push(Number(id)) });
    lazy.setEncoding('utf8');
    for await (const chunk of lazy) {
      // Node's chunks are those of HTTP; the parser passes over their sizes as unknown fields.
      parser.feed(String(chunk));
      if (ids.at(-1) === 257 + rest.length) break;
    }
    expect(ids.length).toBeGreaterThan(200);
  });

  it('ends when its thread is deleted', async () => {
    const { threadId } = await threadWith();
    const response = await amy.raw(path(threadId));
    expect(response.status).toBe(200);
    const dataSource = server.app.get(DataSource);
    await dataSource.query('DELETE FROM agent_threads WHERE id = $1', [threadId]);
    await log.forget(threadId);
    expect((await response.text()).replaceAll(': keep-alive\n\n', '')).toBe('');
  });
});

describe('stopping the server', () => {
  it('ends its streams, so that clients go on elsewhere', async () => {
    const server = await startTestApp({ modules: [AuthModule, SseModule] });
    const amy = await new ApiClient(server.url).register();
    const { id } = await server.app.get(ThreadService).claim(undefined, amy.userId);
    const response = await amy.raw(`/agent/runs/${id}/events`);
    expect(response.status).toBe(200);
    const [body] = await Promise.all([response.text(), server.close()]);
    expect(body.replaceAll(': keep-alive\n\n', '')).toBe('');
  });

  it('does not wait for a client that does not read', async () => {
    const server = await startTestApp({ modules: [AuthModule, SseModule] });
    const amy = await new ApiClient(server.url).register();
    const { id } = await server.app.get(ThreadService).claim(undefined, amy.userId);
    const sockets: Socket[] = [];
    server.app.getHttpServer().on('connection', (socket: Socket) => sockets.push(socket));
    const sleeper = await sleepingClient(amy, id);
    const log = server.app.get(EventLog);
    const piece: NewRunEvent = {
      type: 'TEXT_MESSAGE_CONTENT',
      messageId: 'm',
      delta: 'x'.repeat(64 * 1024),
    };
    // More than the socket buffers of both sides hold.
    for (let n = 0; n < 32; n += 1) {
      await log.append(
        id,
        'run_unread',
        Array.from({ length: 8 }, () => piece),
      );
    }
    const served = sockets.find(({ remotePort }) => remotePort === sleeper.localPort);
    for (let still = 0, written = 0; still < 10;) {
      await delay(20);
      const full = served?.writableNeedDrain && served.bytesWritten === written;
      written = served?.bytesWritten ?? 0;
      still = full ? still + 1 : 0;
    }
    await server.close();
    expect(await idsWithin(sleeper)).not.toHaveLength(0);
  });
});
