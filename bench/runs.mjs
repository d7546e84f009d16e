import { performance } from 'node:perf_hooks';
import { report } from './measure.mjs';
import { newDatabase, newcomer, openReplica, say } from './replicas.mjs';

/** One call, of a reading method, and an answer. */
const SENTENCE = '我今天有什么安排？';
const ROUNDS = 5;
const AT_ONCE = 8;

/**
 * Runs with the offline planner: through either executor, and with the events in memory only. The
 * replicas take turns, so that whatever else the machine does is the same for all.
 */
export async function runs(place) {
  const inline = await talker(place, { CLI_EXECUTOR: 'inline' });
  const process = await talker(place, { CLI_EXECUTOR: 'process' });
  const forgetful = await talker(place, { CLI_EXECUTOR: 'inline' }, keepEventsInMemory);
  const all = [inline, process, forgetful];
  try {
    for (let round = 0; round < ROUNDS + 2; round += 1) {
      for (const one of all) await one.alone();
    }
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const one of all) await one.together();
    }
  } finally {
    for (const { close } of all) await close();
  }
  const pairs = [
    ['Time to the first event of a run', 'firstMs'],
    ['A whole run: a call and an answer', 'wholeMs'],
    [`${AT_ONCE} runs at a time, each`, 'eachMs'],
  ];
  for (const [what, figure] of pairs) {
    report(what, ['inline', middle(inline[figure])], ['process', middle(process[figure])]);
  }
  report(
    'Runs per second',
    ['process', 1000 / middle(process.eachMs)],
    ['inline', 1000 / middle(inline.eachMs)],
    'runs/s',
  );
  for (const [what, figure] of pairs.slice(1)) {
    report(
      `${what}, inline`,
      ['events in memory only', middle(forgetful[figure])],
      ['events durable', middle(inline[figure])],
    );
  }
}

/** 50 events of a run, one after another, as a slow model makes them. */
export async function durability(place) {
  const durable = await appender(place);
  const memory = await appender(place, keepEventsInMemory);
  const times = { durable: [], memory: [] };
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      times.durable.push(await durable.append());
      times.memory.push(await memory.append());
    }
  } finally {
    await durable.close();
    await memory.close();
  }
  report(
    '50 events of a run, one by one',
    ['in memory only', middle(times.memory)],
    ['durable', middle(times.durable)],
  );
}

/** A replica with somebody who talks to it, and what that took, in milliseconds. */
async function talker(place, env, change = async () => {}) {
  const { app, url } = await openReplica(await newDatabase(place), env);
  await change(app);
  const headers = await newcomer(url);
  const [firstMs, wholeMs, eachMs] = [[], [], []];
  return {
    firstMs,
    wholeMs,
    eachMs,
    alone: async () => {
      const took = await say(url, headers, SENTENCE);
      firstMs.push(took.firstMs);
      wholeMs.push(took.wholeMs);
    },
    together: async () => {
      const start = performance.now();
      await Promise.all(Array.from({ length: AT_ONCE }, () => say(url, headers, SENTENCE)));
      eachMs.push((performance.now() - start) / AT_ONCE);
    },
    close: () => app.close(),
  };
}

function middle(times) {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)];
}

/** A replica that appends 50 events. @returns milliseconds. */
async function appender(place, change = async () => {}) {
  const { EventLog } = await import('../dist/src/events/event-log.js');
  const { ThreadService } = await import('../dist/src/threads/thread.service.js');
  const { app } = await openReplica(place);
  const { id } = await app.get(ThreadService, { strict: false }).claim(undefined, 'usr_bench');
  await change(app);
  const log = app.get(EventLog, { strict: false });
  const append = async () => {
    const start = performance.now();
    for (let n = 0; n < 50; n += 1) {
      const event = { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: `${n}` };
      await log.append(id, 'run_bench_events', [event]);
    }
    return performance.now() - start;
  };
  return { append, close: () => app.close() };
}

/** What a log that keeps nothing would cost: the statement that stores events only counts them. */
async function keepEventsInMemory(app) {
  const { EventRepository } = await import('../dist/src/events/event-repository.js');
  const repository = app.get(EventRepository, { strict: false });
  const heads = new Map();
  repository.insert = async (entries) => {
    const grown = new Map();
    for (const { threadId, events } of entries) {
      const head = (heads.get(threadId) ?? 0) + events.length;
      heads.set(threadId, head);
      grown.set(threadId, head);
    }
    return grown;
  };
}
