import { setTimeout as delay } from 'node:timers/promises';
import { jest } from '@jest/globals';
import { DataSource } from 'typeorm';
import { HeldRuns } from '../../src/agent/runs/queue/held-runs.js';
import { RunLeases } from '../../src/agent/runs/queue/run-leases.js';
import { RunSupervisor } from '../../src/agent/runs/queue/run-supervisor.js';
import { EventLog } from '../../src/events/event-log.js';
import type { NewRunEvent } from '../../src/events/run-event.js';
import type { TestApp } from './test-app.js';

/** The event at whose append a process loses its run: just before it is written, or just after. */
export interface Moment {
  at: 'before' | 'after';
  event: (event: NewRunEvent) => boolean;
  /** How many such events come first. */
  nth?: number;
}

/** The process that runs are lost by, as their rows name it. */
const DEAD = 'dead';

/**
 * Takes a run from the process that executes it, as a crash does: the row is another's, and the process
 * writes nothing more. The lease of the other goes on, so that nobody takes the run up before
 * `takeUp`: processes look for runs by themselves every two seconds.
 * @param apps the processes that may execute it.
 */
export async function loseRun(apps: TestApp[], runId: string): Promise<void> {
  await apps[0]?.app.get(DataSource, { strict: false }).query(
    `UPDATE agent_runs SET instance_id = $2, lease_until = now() + interval '1 hour'
     WHERE id = $1 AND status IN ('queued', 'running')`,
    [runId, DEAD],
  );
  for (const { app } of apps) await app.get(RunLeases, { strict: false }).renew();
}

/** Resolves once no process executes the run as it was begun. */
export async function untilLetGo(apps: TestApp[], runId: string): Promise<void> {
  for (const { app } of apps) {
    const held = app.get(HeldRuns, { strict: false });
    while (held.runs.some(({ id }) => id === runId)) await delay(5);
  }
}

/** The leases of lost runs are over, and `at` takes them up, if no other process is faster. */
export async function takeUp({ app }: TestApp): Promise<void> {
  await app
    .get(DataSource, { strict: false })
    .query(
      `UPDATE agent_runs SET lease_until = now() - interval '1 second' WHERE instance_id = $1`,
      [DEAD],
    );
  await app.get(RunSupervisor, { strict: false }).sweep(false);
}

/**
 * Has the next run be lost at the moment, whichever of the processes executes it.
 * @returns what resolves when that is.
 */
export function loseAt(apps: TestApp[], { at, event, nth = 0 }: Moment): Promise<void> {
  let left = nth;
  return new Promise((resolve) => {
    const spies = apps.map(({ app }) => {
      const log = app.get(EventLog, { strict: false });
      const append = log.append.bind(log);
      return jest
        .spyOn(log, 'append')
        .mockImplementation(async (threadId, runId, events, ...rest) => {
          const isIt = events.some(event) && left-- === 0;
          if (!isIt) return append(threadId, runId, events, ...rest);
          for (const spy of spies) spy.mockRestore();
          const written = at === 'after' ? await append(threadId, runId, events, ...rest) : [];
          await loseRun(apps, runId);
          resolve();
          if (at === 'before') throw new Error('the process is gone');
          return written;
        });
    });
  });
}
