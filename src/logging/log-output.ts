import { write, writeSync } from 'node:fs';
import type { DestinationStream } from 'pino';

/** Characters of lines that wait for a reader who is slow; past them new lines are dropped. */
const MAX_WAITING = 8 * 1024 * 1024;
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
 * Log lines to a file descriptor, in order, without holding the process up. When whoever reads them
 * has gone (EPIPE), or anything but a full pipe stops a write, the log is over: what it would still
 * say is dropped, and the process goes on and can end. A log never decides whether a server lives.
 */
export class LogOutput implements DestinationStream {
  private waiting: string[] = [];
  private waitingLength = 0;
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
    if (this.waitingLength + line.length > MAX_WAITING) {
      this.dropped++;
      return;
    }
    this.waiting.push(line);
    this.waitingLength += line.length;
    if (this.current === null) this.next();
  }

  /**
   * Writes what waits before it returns: at the end of the process, and after a fatal line. Gives up
   * after a second of a full pipe, and at once when nobody reads any more.
   */
  flushSync(): void {
    const parked = this.parked ?? Buffer.alloc(0);
    if (this.parked !== null) this.current = this.parked = null;
    let rest = Buffer.concat([parked, this.takeWaiting()]);
    for (let tries = 0; rest.length > 0 && !this.over && tries < LAST_TRIES;) {
      try {
        rest = rest.subarray(this.writes.writeSync(this.fd, rest));
      } catch (error) {
        if (!isFull(error)) return this.end();
        tries++;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, FULL_MS);
      }
    }
  }

  private next(): void {
    const bytes = this.takeWaiting();
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

  private takeWaiting(): Buffer {
    const text = this.waiting.join('');
    this.waiting = [];
    this.waitingLength = 0;
    const { dropped } = this;
    this.dropped = 0;
    return Buffer.from(dropped === 0 ? text : text + droppedLine(dropped));
  }

  private end(): void {
    this.over = true;
    this.waiting = [];
    this.waitingLength = 0;
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
