import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AuthModule } from '../../src/auth/auth.module.js';
import { EventLog } from '../../src/events/event-log.js';
import type { NewRunEvent } from '../../src/events/run-event.js';
import { SseModule } from '../../src/sse/sse.module.js';
import { ThreadService } from '../../src/threads/thread.service.js';
import { ApiClient } from '../support/api-client.js';
import { HEAP_REPORT, heldMemory, type Held } from '../support/held-memory.js';
import { manyPeople } from '../support/many-people.js';
import { startServerProcess, type ServerProcess } from '../support/server-process.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { OpenStream, idsWithin, sleepingClient } from './crowd.js';

const PEOPLE = 20;
const THREADS_EACH = 50;
const STREAMS = PEOPLE * THREADS_EACH;
const AT_ONCE = 50;
/** What a server may hold more after a thousand streams than after the thousand before them. */
const MAX_GROWTH = 4 * 1024 * 1024;
/** Sockets of the pool and of clients that are just going, timers. */
const FEW = 20;

/** A stream that nobody reads: how much is told meanwhile, and how much of it a process may hold. */
const TOLD_BYTES = 50 * 1024 * 1024;
const HELD_BYTES = 16 * 1024 * 1024;

const started = (threadId: string): NewRunEvent => ({ type: 'RUN_STARTED', threadId });
const says = (delta: string): NewRunEvent => ({
  type: 'TEXT_MESSAGE_CONTENT',
  messageId: 'msg_said',
  delta,
});
const finished = (threadId: string): NewRunEvent => ({
  type: 'RUN_FINISHED',
  threadId,
  usage: null,
  outcome: 'success',
});

/** A server process streams what another replica (this process) writes. */
describe('one server process', () => {
  let writer: TestApp;
  let log: EventLog;
  let server: ServerProcess;
  let people: ApiClient[];

  beforeAll(async () => {
    const env = { PUBLIC_URL: 'http://steward.test', RATE_LIMIT_PER_MINUTE: '1000000' };
    writer = await startTestApp({ modules: [AuthModule, SseModule], env });
    log = writer.app.get(EventLog);
    server = await startServerProcess({
      ...env,
      ...HEAP_REPORT,
      DATABASE_URL: writer.databaseUrl,
      DATA_DIR: writer.dataDir,
      SSE_STALL_MS: '3000',
    });
    const { url } = server;
    const first = await new ApiClient(url).register();
    const { app } = writer;
    people = await manyPeople({ app, client: () => new ApiClient(url) }, first, PEOPLE);
  }, 60_000);
  afterAll(async () => {
    await server.stop();
    await writer.close();
  }, 60_000);

  const threadsOf = async (person: ApiClient, count: number): Promise<string[]> => {
    const threads = writer.app.get(ThreadService);
    const claimed = Array.from({ length: count }, () => threads.claim(undefined, person.userId));
    return (await Promise.all(claimed)).map(({ id }) => id);
  };
  /** What is held once the streams that were left are gone. */
  const heldAtRest = async (resources: number): Promise<Held> => {
    for (let look = 0; ; look += 1) {
      const held = await heldMemory(server);
      if (held.resources <= resources || look === 100) return held;
      await delay(100);
    }
  };

  it(`serves ${STREAMS} streams at a time, and holds nothing of them afterwards`, async () => {
    const watched: { person: ApiClient; threadId: string }[] = [];
    for (const person of people) {
      const threads = await threadsOf(person, THREADS_EACH);
      watched.push(...threads.map((threadId) => ({ person, threadId })));
    }
    const before = await heldMemory(server);
    const after: Held[] = [];
    for (let seen = 0; seen < 4; seen += 2) {
      const streams: OpenStream[] = [];
      for (let from = 0; from < STREAMS; from += AT_ONCE) {
        const some = watched.slice(from, from + AT_ONCE);
        const opened = some.map(({ person, threadId }) => OpenStream.of(person, threadId, seen));
        streams.push(...(await Promise.all(opened)));
      }
      expect((await heldMemory(server)).resources).toBeGreaterThanOrEqual(STREAMS);

      const told = watched.map(({ threadId }) =>
        log.append(threadId, `run_${threadId}`, [
          seen === 0 ? started(threadId) : says('All of you,'),
          says('together.'),
        ]),
      );
      await Promise.all(told);
      await Promise.all(streams.map((stream) => stream.until(seen + 2)));
      expect(streams.map(({ ids }) => ids)).toEqual(streams.map(() => [seen + 1, seen + 2]));

      await Promise.all(streams.map((stream) => stream.leave()));
      after.push(await heldAtRest(before.resources + FEW));
    }
    const [first, second] = after;
    expect(first?.resources).toBeLessThanOrEqual(before.resources + FEW);
    expect(second?.resources).toBeLessThanOrEqual(before.resources + FEW);
    // The first thousand fill what may be kept: caches, pools, compiled code.
    expect(second?.bytes).toBeLessThan((first?.bytes ?? 0) + MAX_GROWTH);
  }, 240_000);

  it('holds a bounded part for a client that never reads, drops it, and lets it resume', async () => {
    const [person = new ApiClient('')] = people;
    const [threadId = ''] = await threadsOf(person, 1);
    const runId = 'run_for_a_sleeper';
    const sleeper = await sleepingClient(person, threadId);
    const reader = await OpenStream.of(person, threadId);
    const before = await heldMemory(server);

    const piece = says('x'.repeat(64 * 1024));
    const pieces = TOLD_BYTES / (64 * 1024);
    let most = 0;
    await log.append(threadId, runId, [started(threadId)]);
    for (let told = 0; told < pieces; told += 16) {
      await log.append(
        threadId,
        runId,
        Array.from({ length: 16 }, () => piece),
      );
      // The sleeper's share of all that has come by so far is looked at while it is still connected.
      if (told % 160 !== 0) continue;
      await reader.until(told + 17);
      most = Math.max(most, (await heldMemory(server)).bytes - before.bytes);
    }
    await log.append(threadId, runId, [finished(threadId)]);
    const last = pieces + 2;
    await reader.over;
    expect(reader.ids).toEqual(Array.from({ length: last }, (_, n) => n + 1));
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThan(HELD_BYTES);

    while (!server.logs.some((line) => line.includes('has not read from its stream'))) {
      await delay(50);
    }
    const got = await idsWithin(sleeper);
    expect(got.length).toBeLessThan(last);
    const resumed = await OpenStream.of(person, threadId, got.at(-1) ?? 0);
    await resumed.over;
    expect([...got, ...resumed.ids]).toEqual(reader.ids);
  }, 120_000);
});
