import { EventEmitter } from 'node:events';
import type { AppEvent } from '../../src/events/app-event.js';
import type { SentAnswer, View } from './evidence.js';

/** Notes what clients see while all goes on, for the auditor and the report. */
export class Journal {
  readonly accepted: { threadId: string; runId: string }[] = [];
  readonly views: View[] = [];
  /** What clients sent as results of calls of their tools. */
  readonly answers: SentAnswer[] = [];
  /** In which ways they did, or did not. */
  readonly ways: Record<string, number> = {};
  readonly complaints: string[] = [];
  /** Answers that were no success, by status and code, and connections that broke. */
  readonly refusals = new Map<string, number>();
  reconnects = 0;
  cancels = 0;
  resumes = 0;
  private readonly emitter = new EventEmitter().setMaxListeners(0);

  /** Begins what one client sees of a thread. */
  view(threadId: string, by: string): View {
    const view = { threadId, by, seen: [] };
    this.views.push(view);
    return view;
  }

  see(view: View, id: number, event: AppEvent): void {
    view.seen.push({ id, event });
    this.emitter.emit(event.type);
  }

  went(way: string): void {
    this.ways[way] = (this.ways[way] ?? 0) + 1;
  }

  refused(what: string): void {
    this.refusals.set(what, (this.refusals.get(what) ?? 0) + 1);
  }

  /** Resolves when any client gets an event of the type, or `signal` aborts. */
  async sighting(type: AppEvent['type'], signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve) => {
      const settle = (): void => {
        this.emitter.off(type, settle);
        signal.removeEventListener('abort', settle);
        resolve();
      };
      this.emitter.on(type, settle);
      signal.addEventListener('abort', settle);
    });
  }
}
