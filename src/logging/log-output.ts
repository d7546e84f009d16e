import { write, writeSync } from 'node:fs';
import type { DestinationStream } from 'pino';

/** Bytes of lines that are kept for a reader who is slow; past them new lines are dropped. */
const MAX_KEPT = 8 * 1024 * 1024;
/** Bytes of one write, unless a single line has more: no more is lost when the process ends in it. */
const MAX_WRITE = 64 * 1024;
/** Milliseconds before a write that found the pipe full is tried again. */
const FULL_MS = 50;
/** Such tries at the end of the process, when nothing else can wait. */
const LAST_TRIES = 20;

/** The writes of `node:fs` that an output uses. */
export interface Writes {
  write(fd: number, bytes: Buffer, done: (error: Error | null, written: number) => void): void;
  writeSync(fd: number, bytes: Buffer): number;
}

/**
 * Log lines to a file descriptor, in order, without holding the process up; only a fatal line may
 * overtake a write that is under way. When whoever reads them
 * has gone (EPIPE), or anything but a full pipe stops a write, the log is over: what it would still
 * say is dropped, and the process goes on and can end. A log never decides whether a server lives.
 */
export class LogOutput implements DestinationStream {
  private waiting: Buffer[] = [];
  private waitingBytes = 0;
  /** What is being written; null between writes. */
  private current: Buffer | null = null;
  /** The same while the pipe is full and the write waits for its next try. */
  private parked: Buffer | null = null;
  private dropped = 0;
  private over = false;

  constructor(
    private readonly fd: number,
    private readonly writes: Writes = { write, writeSync },
  ) {}

  /** Takes a line with its end. Never throws and never blocks. */
  write(line: string): void {
    if (this.over) return;
    const bytes = Buffer.from(line);
    if (this.waitingBytes + (this.current?.length ?? 0) + bytes.length > MAX_KEPT) {
      this.dropped++;
      return;
    }
    this.wait(bytes);
    if (this.current === null) this.next();
  }

  /**
   * Writes what waits before it returns: at the end of the process, and after a fatal line. Gives up
   * after a second of a full pipe, and at once when nobody reads any more.
   */
  flushSync(): void {
    if (this.parked !== null) {
      this.wait(this.parked, 'first');
      this.current = this.parked = null;
    }
    let rest = this.takeWaiting(Infinity);
    for (let tries = 0; rest.length > 0 && !this.over && tries < LAST_TRIES;) {
      try {
        rest = rest.subarray(this.writes.writeSync(this.fd, rest));
      } catch (error) {
        if (!isFull(error)) return this.end();
        tries++;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, FULL_MS);
      }
    }
    // A process that lives on writes it later.
    if (rest.length > 0) this.wait(rest, 'first');
    if (this.current === null) this.next();
  }

  private next(): void {
    const bytes = this.takeWaiting(MAX_WRITE);
    if (bytes.length > 0) this.send(bytes);
  }

  private send(bytes: Buffer): void {
    this.current = bytes;
    this.parked = null;
    this.writes.write(this.fd, bytes, (error, written) => {
      if (error) {
        if (!isFull(error)) return this.end();
        this.parked = bytes;
        // A log that waits for its reader keeps no process alive.
        setTimeout(() => this.parked === bytes && this.send(bytes), FULL_MS).unref();
        return;
      }
      const rest = bytes.subarray(written);
      if (rest.length > 0) return this.send(rest);
      this.current = null;
      this.next();
    });
  }

  private wait(bytes: Buffer, place: 'first' | 'last' = 'last'): void {
    if (place === 'first') this.waiting.unshift(bytes);
    else this.waiting.push(bytes);
    this.waitingBytes += bytes.length;
  }

  /** The first of what waits, up to `max` bytes and at least a line. */
  private takeWaiting(max: number): Buffer {
    let taken = 0;
    let count = 0;
    for (const { length } of this.waiting) {
      if (count > 0 && taken + length > max) break;
      taken += length;
      count++;
    }
    const lines = this.waiting.splice(0, count);
    this.waitingBytes -= taken;
    if (this.waiting.length === 0 && this.dropped > 0) {
      lines.push(Buffer.from(droppedLine(this.dropped)));
      this.dropped = 0;
    }
    return Buffer.concat(lines);
  }

  private end(): void {
    this.over = true;
    this.waiting = [];
    this.waitingBytes = 0;
    this.current = this.parked = null;
  }
}

let stdout: LogOutput | null = null;

/** The process's one log on stdout; what waits is written when the process ends. */
export function stdoutLog(): LogOutput {
  if (stdout === null) {
    const output = new LogOutput(process.stdout.fd);
    process.on('exit', () => output.flushSync());
    stdout = output;
  }
  return stdout;
}

function isFull(error: unknown): boolean {
  const code: unknown = error instanceof Error && Reflect.get(error, 'code');
  return code === 'EAGAIN' || code === 'EBUSY';
}

/** As pino writes a line: level 40 is warn. */
function droppedLine(count: number): string {
  const msg = `${count} log line(s) were dropped: the reader of the log is too slow.`;
  return `${JSON.stringify({ level: 40, time: Date.now(), msg })}\n`;
}
