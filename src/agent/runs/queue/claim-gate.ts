import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { DoorHealth } from '../../../tool-router/executors/door-health.js';
import { NO_PAUSE, afterAnswer, type ClaimPause } from './claim-pause.js';

/** Told when a process stops claiming runs, and when it begins again. */
type Listener = (claims: boolean) => void;

/**
 * Whether this process claims runs: not while the tool door is away that executes their calls. What it
 * executes already goes on, as its calls try the door again by themselves.
 */
@Injectable()
export class ClaimGate implements OnModuleDestroy {
  private readonly logger = new Logger(ClaimGate.name);
  private readonly listeners = new Set<Listener>();
  private pause: ClaimPause = NO_PAUSE;
  private timer: NodeJS.Timeout | null = null;
  private asking: Promise<boolean> | null = null;
  private stopped = false;

  constructor(private readonly door: DoorHealth) {}

  onModuleDestroy(): void {
    this.stopped = true;
    if (this.timer) clearTimeout(this.timer);
  }

  /** Asks the door, unless it is known to be away: then it is asked when its pause is over. Never rejects. */
  mayClaim(): Promise<boolean> {
    return this.pause.misses > 0 ? Promise.resolve(false) : this.ask();
  }

  /** @returns what ends it. */
  onChange(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** One question at a time, so that each answer counts once. */
  private ask(): Promise<boolean> {
    this.asking ??= this.next().finally(() => {
      this.asking = null;
    });
    return this.asking;
  }

  private async next(): Promise<boolean> {
    const claims = (await this.door.state()) === 'up';
    const { misses, changed, askAgainMs } = afterAnswer(this.pause, claims);
    this.pause = { misses };
    if (this.stopped) return claims;
    if (askAgainMs !== null) this.timer = setTimeout(() => void this.ask(), askAgainMs).unref();
    if (!changed) return claims;
    if (claims) this.logger.log('This process claims runs again.');
    else this.logger.warn('This process claims no runs until its tool door is back.');
    for (const listener of this.listeners) listener(claims);
    return claims;
  }
}
