import { setTimeout as delay } from 'node:timers/promises';
import type { AppEvent } from '../../src/events/app-event.js';
import type { View } from './evidence.js';
import { PATIENCE_MS, RETRY_MS, wordOf, type Requests } from './requests.js';
import type { Random } from './random.js';

export type Ending = Extract<AppEvent, { type: 'RUN_FINISHED' | 'RUN_ERROR' }>;

/** What one person reads: it loses its streams by chance, and comes back with the last id it saw. */
export class Screen {
  constructor(
    private readonly name: string,
    private readonly requests: Requests,
    private readonly random: Random,
  ) {}

  /**
   * Reads until the run has ended, over as many connections as it takes, and cancels it now and then.
   * @returns how it ended.
   */
  async follow(view: View, runId: string): Promise<Ending | null> {
    const { journal } = this.requests;
    const deadline = Date.now() + PATIENCE_MS;
    let cancelAfter = this.random.chance(0.2) ? this.random.between(0, 12) : Infinity;
    while (Date.now() < deadline) {
      const leaveAfter = this.random.chance(0.6) ? this.random.between(1, 15) : Infinity;
      let read = 0;
      const stop = new AbortController();
      const timer = setTimeout(() => stop.abort(), deadline - Date.now());
      try {
        const last = view.seen.at(-1)?.id;
        const frames = this.requests.client().frames(`/agent/runs/${view.threadId}/events`, {
          signal: stop.signal,
          headers: { 'last-event-id': String(last ?? 0) },
        });
        for await (const { id, event } of frames) {
          journal.see(view, Number(id), event as AppEvent);
          read += 1;
          if (read > cancelAfter) {
            cancelAfter = Infinity;
            await this.requests.cancel(runId);
          }
          if (read >= leaveAfter) break;
        }
      } catch (error) {
        journal.refused(`stream: ${wordOf(error)}`);
        await delay(RETRY_MS);
      } finally {
        clearTimeout(timer);
        stop.abort();
      }
      const ending = endOf(view, runId);
      if (ending) return ending;
      journal.reconnects += 1;
    }
    this.requests.complain(`the stream of ${runId} did not end`);
    return null;
  }

  /** Somebody else's screen: reads from the start of the run, with no id. */
  async watch(threadId: string, runId: string): Promise<void> {
    const { journal } = this.requests;
    const view = journal.view(threadId, `${this.name} watches ${runId}`);
    const frames = this.requests.client().frames(`/agent/runs/${threadId}/events`);
    try {
      for await (const { id, event } of frames) {
        if (view.seen.length > 0 || event['runId'] === runId) {
          journal.see(view, Number(id), event as AppEvent);
        }
        if (endOf(view, runId)) return;
      }
    } catch (error) {
      journal.refused(`watching: ${wordOf(error)}`);
    }
  }
}

function endOf({ seen }: View, runId: string): Ending | null {
  const last = seen.findLast(
    ({ event }) =>
      event.runId === runId && (event.type === 'RUN_FINISHED' || event.type === 'RUN_ERROR'),
  )?.event;
  return last?.type === 'RUN_FINISHED' || last?.type === 'RUN_ERROR' ? last : null;
}
