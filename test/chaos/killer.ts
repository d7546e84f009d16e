import { setTimeout as delay } from 'node:timers/promises';
import type { AppEvent } from '../../src/events/app-event.js';
import type { Deployment, Role } from './deployment.js';
import type { Journal } from './journal.js';
import type { Random } from './random.js';

/** A moment at which a process was killed, and how long it took until it was there again. */
export interface Kill {
  at: Date;
  role: Role;
  /** What was waited for: an event that some client saw, or a time. */
  moment: string;
  /** Milliseconds until it was ready again. */
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

/** Milliseconds that an event is waited for; the kill comes then, event or not. */
const MOMENT_MS = 10_000;

/** Kills processes with SIGKILL at moments of chance and starts them again; one, some, or all at once. */
export class Killer {
  readonly kills: Kill[] = [];

  constructor(
    private readonly deployment: Deployment,
    private readonly journal: Journal,
    private readonly random: Random,
  ) {}

  /** Kills until `count` processes were killed, or `over` says so. */
  async work(count: number, over: () => boolean): Promise<void> {
    while (this.kills.length < count && !over()) {
      const moment = await this.untilAMoment();
      const victims = this.victims();
      const at = new Date();
      await Promise.all(victims.map((index) => this.deployment.kill(index)));
      await delay(this.random.between(0, 300));
      await Promise.all(victims.map((index) => this.revive(index, at, moment)));
    }
  }

  /** Mostly one; sometimes all, as by a power cut, or all that do the same. */
  private victims(): number[] {
    const { roles } = this.deployment;
    const all = [...roles.keys()];
    const chance = this.random.next();
    const one = this.random.pick(all);
    if (chance < 0.15) return all;
    return chance < 0.3 && roles.some((role) => role !== roles[0])
      ? all.filter((index) => roles[index] === roles[one])
      : [one];
  }

  private async revive(index: number, at: Date, moment: string): Promise<void> {
    await this.deployment.revive(index);
    const role = this.deployment.roles[index] ?? 'all';
    this.kills.push({ at, role, moment, downMs: Date.now() - at.getTime() });
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
