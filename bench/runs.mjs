import { performance } from 'node:perf_hooks';
import { DataSource } from 'typeorm';
import { middle, often, report } from './measure.mjs';
import { openReplica } from './replicas.mjs';
import { AT_ONCE, takeTurns, talker } from './talker.mjs';

const ROUNDS = 5;

/**
 * Runs with the offline planner: through either executor, and with the events in memory only.
 */
export async function runs(place) {
  const inline = await talker(place, { CLI_EXECUTOR: 'inline' });
  const process = await talker(place, { CLI_EXECUTOR: 'process' });
  const forgetful = await talker(place, { CLI_EXECUTOR: 'inline' }, keepEventsInMemory);
  await takeTurns([inline, process, forgetful]);
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
  const memory = await appender(place, keepEventsInMemory);
  const durable = await appender(place);
  // Once no other replica starts, which would take the run for that of a dead process.
  await durable.hold();
  const times = { held: [], anybodys: [], memory: [] };
  try {
    for (let round = 0; round < often(ROUNDS); round += 1) {
      times.held.push(await durable.append(durable.holder));
      times.anybodys.push(await durable.append());
      times.memory.push(await memory.append());
    }
  } finally {
    await durable.close();
    await memory.close();
  }
  report(
    '50 events of a run, one by one',
    ['in memory only', middle(times.memory)],
    ['durable', middle(times.held)],
  );
  report(
    '50 durable events of a run',
    ['whoever writes them', middle(times.anybodys)],
    ['by who holds the run alone', middle(times.held)],
  );
}

/** A replica that appends 50 events. @returns milliseconds. */
async function appender(place, change = async () => {}) {
  const { EventLog } = await import('../dist/src/events/event-log.js');
  const { INSTANCE_ID } = await import('../dist/src/agent/runs/queue/run-leases.js');
  const { ThreadService } = await import('../dist/src/threads/thread.service.js');
  const { app } = await openReplica(place);
  const get = (token) => app.get(token, { strict: false });
  const holder = { userId: 'usr_bench', instanceId: get(INSTANCE_ID) };
  const { id } = await get(ThreadService).claim(undefined, holder.userId);
  await change(app);
  const log = get(EventLog);
  const append = async (by = null) => {
    const start = performance.now();
    for (let n = 0; n < 50; n += 1) {
      const event = { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: `${n}` };
      await log.append(id, id, [event], undefined, by);
    }
    return performance.now() - start;
  };
  const hold = () =>
    get(DataSource).query(
      `INSERT INTO agent_runs (id, thread_id, user_id, message_id, status, profile, locale, timezone,
         request_hash, cancel_requested, instance_id, lease_until, created_at, fair_at)
       VALUES ($1, $1, $2, 'msg_bench', 'running', 'chat', 'en', 'UTC', '', false, $3,
         now() + interval '1 hour', now(), now())`,
      [id, holder.userId, holder.instanceId],
    );
  return { append, hold, holder, close: () => app.close() };
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
    return { heads: grown, lost: new Set() };
  };
}
