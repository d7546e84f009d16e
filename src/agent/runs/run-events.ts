import { Injectable } from '@nestjs/common';
import { EventLog } from '../../events/event-log.js';
import type { RunEvent } from '../../events/run-event.js';
import { RunRepository } from './run.repository.js';
import type { Run } from './run.js';

const PAGE = 500;

/** How a run begins in its thread's log. */
export interface StartOfRun {
  /** Id of its RUN_STARTED. */
  id: number;
  event: Extract<RunEvent, { type: 'RUN_STARTED' }>;
}

/** The durable events of runs, for whoever goes on with a run that it did not begin. */
@Injectable()
export class RunEvents {
  constructor(
    private readonly log: EventLog,
    private readonly runs: RunRepository,
  ) {}

  /** @throws Error when the run is not the last of its thread. */
  async startOf(run: Run): Promise<StartOfRun> {
    const bounds = await this.log.lastRun(run.threadId);
    if (bounds?.runId !== run.id) throw new Error(`run ${run.id} is not its thread's last run`);
    const [first] = await this.log.read(run.threadId, bounds.startId - 1, 1);
    if (first?.event.type !== 'RUN_STARTED') throw new Error(`run ${run.id} has no RUN_STARTED`);
    return { id: first.id, event: first.event };
  }

  /** Every event of the run from `startId`, oldest first. */
  async of(run: Run, startId: number): Promise<RunEvent[]> {
    const events: RunEvent[] = [];
    let last = startId - 1;
    for (;;) {
      const page = await this.log.read(run.threadId, last, PAGE);
      for (const logged of page) if (logged.runId === run.id) events.push(logged.event);
      const newest = page.at(-1);
      if (!newest) return events;
      last = newest.id;
    }
  }

  /** The run that waited and that this one goes on from, or ends; null for none. */
  async resumedBy({ userId, resumedFrom }: Run): Promise<Run | null> {
    return resumedFrom === null ? null : this.runs.find({ userId, id: resumedFrom });
  }
}
