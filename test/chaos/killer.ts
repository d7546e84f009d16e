import { setTimeout as delay } from 'node:timers/promises';
import type { AppEvent } from '../../src/events/app-event.js';
import type { Deployment } from './deployment.js';
import type { Journal } from './journal.js';
import type { Random } from './random.js';

/** A moment at which a server was killed, and how long it took until it was there again. */
export interface Kill {
  at: Date;
  server: number;
  /** What was waited for: an event that some client saw, or a time. */
  moment: string;
  /** Milliseconds until the server was ready again. */
  downMs: number;
}

const MOMENTS = [
  'RUN_STARTED',
  'STEP_STARTED',
  'TEXT_MESSAGE_START',
  'TEXT_MESSAGE_CONTENT',
  'TEXT_MESSAGE_END',
  'TOOL_CALL_START',
  'TOOL_CALL_ARGS',
  'TOOL_CALL_END',
  'TOOL_CALL_RESULT',
  'STEP_FINISHED',
  'RUN_FINISHED',
] as const satisfies AppEvent['type'][];

/** Milliseconds that an event is waited for; a server is killed then, event or not. */
const MOMENT_MS = 10_000;

/** Kills servers with SIGKILL at moments of chance, one after another, and starts them again. */
export class Killer {
  readonly kills: Kill[] = [];

  constructor(
    private readonly deployment: Deployment,
    private readonly journal: Journal,
    private readonly random: Random,
  ) {}

  /** Kills until `count` servers were killed, or `over` says so. */
  async work(count: number, over: () => boolean): Promise<void> {
    while (this.kills.length < count && !over()) {
      const moment = await this.untilAMoment();
      // Sometimes all go at once, as by a power cut.
      const all = this.random.chance(0.15);
      const first = this.random.between(0, this.deployment.size - 1);
      const servers = all ? Array.from({ length: this.deployment.size }, (_, n) => n) : [first];
      const at = new Date();
      await Promise.all(servers.map((server) => this.deployment.kill(server)));
      await delay(this.random.between(0, 300));
      for (const server of servers) {
        await this.deployment.revive(server);
        this.kills.push({ at, server, moment, downMs: Date.now() - at.getTime() });
      }
    }
  }

  private async untilAMoment(): Promise<string> {
    await delay(this.random.between(100, 3_000));
    if (this.random.chance(0.3)) return 'a time';
    const type = this.random.pick(MOMENTS);
    const signal = AbortSignal.timeout(MOMENT_MS);
    await this.journal.sighting(type, signal);
    await delay(this.random.between(0, 25));
    return signal.aborted ? 'a time' : `after ${type}`;
  }
}
