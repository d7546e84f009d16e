import { setTimeout as pause } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { RedisClients } from './redis-clients.js';
import type { RedisLink } from './redis-link.js';

/** Entries that the stream keeps, about; readers are milliseconds behind. */
const MAX_ENTRIES = 4_000;
/** Nothing stays longer than about this, in ms: what people say is not left lying in Redis. */
const MAX_AGE_MS = 60_000;
const SWEEP_EVERY_MS = 5_000;
/** How long a read waits at the server, and how many entries it takes. */
const BLOCK_MS = 2_000;
const READ_COUNT = 500;
const RETRY_MS = 250;
/** Commands without an answer yet, after which nothing more is sent. */
const MAX_UNANSWERED = 1_000;

/** An answer that takes longer is taken for none. */
const WRITE_SILENCE_MS = 500;
const READ_SILENCE_MS = BLOCK_MS + 1_500;

/**
 * A Redis stream by which the processes of a deployment tell each other things that lie elsewhere
 * durably. It keeps little, and may lose all of it at any time: `writes` and `reads` say whether it
 * can be relied on at the moment, and `onGap` that something may have been missed.
 */
export class RedisStream {
  private readonly logger = new Logger(RedisStream.name);
  private readonly key: string;
  private readonly writer: RedisLink;
  private readonly reader: RedisLink;
  private readonly gaps = new Set<() => void>();
  private unanswered = 0;
  private sweptAt = Number.NEGATIVE_INFINITY;
  /** Id of the last entry that was read; null while the end of the stream is not known. */
  private position: string | null = null;
  private reading: Promise<void> | null = null;
  private closed = false;

  constructor(
    private readonly clients: RedisClients,
    name: 'events',
  ) {
    this.key = `${clients.prefix}:${name}`;
    this.writer = clients.link({ name: `${name}-write`, silenceMs: WRITE_SILENCE_MS });
    this.reader = clients.link({ name: `${name}-read`, silenceMs: READ_SILENCE_MS });
  }

  /** Whether what is written now can be expected to arrive. */
  get writes(): boolean {
    return this.writer.up && this.unanswered < MAX_UNANSWERED;
  }

  /** Whether everything that is written is heard. */
  get reads(): boolean {
    return this.reader.up && this.position !== null;
  }

  openWriter(): void {
    this.writer.open();
  }

  /** Calls `onEntry` with the text of every entry that is written from now on. */
  openReader(onEntry: (text: string) => void): void {
    this.reader.onConnect(() => {
      // Whatever became of the stream in the meantime, its end is where reading begins.
      this.position = null;
    });
    this.reader.open();
    this.reading = this.read(onEntry);
  }

  /** Calls `callback` each time reading begins, also the first time, and when an entry was not taken. */
  onGap(callback: () => void): void {
    this.gaps.add(callback);
  }

  /** Notes that so many things went another way. */
  fellBack(count: number): void {
    this.clients.fellBack('events', count);
  }

  async close(): Promise<void> {
    this.closed = true;
    this.writer.close();
    this.reader.close();
    await this.reading;
  }

  /** Writes entries, in order. @throws whatever Redis answers; some may have been written then. */
  async write(texts: string[]): Promise<void> {
    const sweeps = performance.now() - this.sweptAt > SWEEP_EVERY_MS;
    if (sweeps) this.sweptAt = performance.now();
    this.unanswered += 1;
    try {
      await this.writer.run(async (redis) => {
        const pipeline = redis.pipeline();
        for (const text of texts) {
          pipeline.xadd(this.key, 'MAXLEN', '~', MAX_ENTRIES, '*', 'd', text);
        }
        pipeline.pexpire(this.key, MAX_AGE_MS);
        const answers = (await pipeline.exec()) ?? [];
        for (const [error] of answers) if (error) throw error;
        // By the server's clock, which gave the ids: ours may be another.
        const newest = timeOf(answers[0]?.[1]);
        if (sweeps && newest !== null) {
          await redis.xtrim(this.key, 'MINID', Math.max(0, newest - MAX_AGE_MS));
        }
      });
    } finally {
      this.unanswered -= 1;
    }
  }

  private async read(onEntry: (text: string) => void): Promise<void> {
    while (!this.closed) {
      try {
        if (!this.reader.up) throw new Error('not connected');
        const from = this.position ?? (await this.begin());
        const entries = await this.reader.run((redis) =>
          redis.xread('COUNT', READ_COUNT, 'BLOCK', BLOCK_MS, 'STREAMS', this.key, from),
        );
        // A connection that was made in the meantime begins anew.
        if (this.position !== from) continue;
        for (const [id, fields] of entries?.[0]?.[1] ?? []) {
          // One that cannot be taken is behind us, too: it would be the next again and again.
          this.position = id;
          this.take(onEntry, fields[1] ?? '');
        }
      } catch {
        await pause(RETRY_MS, undefined, { ref: false });
      }
    }
  }

  private take(onEntry: (text: string) => void, text: string): void {
    try {
      onEntry(text);
    } catch (error) {
      this.logger.error(`An entry of ${this.key} could not be taken: ${String(error)}`);
      this.tellOfGap();
    }
  }

  private async begin(): Promise<string> {
    const [last] = await this.reader.run((redis) =>
      redis.xrevrange(this.key, '+', '-', 'COUNT', 1),
    );
    const position = last?.[0] ?? '0-0';
    this.position = position;
    this.tellOfGap();
    return position;
  }

  private tellOfGap(): void {
    for (const callback of this.gaps) callback();
  }
}

/** Milliseconds in an entry's id; null for what is none. */
function timeOf(id: unknown): number | null {
  const [, time] = /^(\d+)-\d+$/.exec(typeof id === 'string' ? id : '') ?? [];
  return time === undefined ? null : Number(time);
}
