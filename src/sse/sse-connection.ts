import type { ServerResponse } from 'node:http';

const HEARTBEAT = Buffer.from(': keep-alive\n\n');

/** Why a connection was given up. */
export class ClientStalled extends Error {
  constructor() {
    super('The client has not read from its stream for too long.');
    this.name = 'ClientStalled';
  }
}

/** One response that carries a stream: writes at the client's pace, and knows when it was quiet. */
export class SseConnection {
  private lastWrite = performance.now();

  /** @param stallMs milliseconds that a full socket may stay full. */
  constructor(
    private readonly response: ServerResponse,
    private readonly signal: AbortSignal,
    private readonly stallMs: number,
  ) {}

  /** Sends status and headers, so that the client knows at once that it is connected. */
  open(): void {
    this.response.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-cache, no-transform',
      'X-Accel-Buffering': 'no',
    });
    this.response.flushHeaders();
  }

  /**
   * Writes one frame, and waits while the client is behind.
   * @throws ClientStalled when it stays behind; the connection is then to be dropped.
   */
  async send(frame: Buffer): Promise<void> {
    if (this.signal.aborted) return;
    this.lastWrite = performance.now();
    if (this.response.write(frame)) return;
    await this.drained();
    this.lastWrite = performance.now();
  }

  /** Writes a comment when nothing was written for `quietMs`, so that no proxy takes it for dead. */
  beat(quietMs: number): void {
    if (this.signal.aborted || this.response.writableNeedDrain) return;
    if (performance.now() - this.lastWrite < quietMs) return;
    this.lastWrite = performance.now();
    this.response.write(HEARTBEAT);
  }

  private async drained(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const settle = (error?: Error): void => {
        clearTimeout(timer);
        this.response.off('drain', settle);
        this.signal.removeEventListener('abort', onAbort);
        if (error) reject(error);
        else resolve();
      };
      const onAbort = (): void => settle();
      const timer = setTimeout(() => settle(new ClientStalled()), this.stallMs);
      timer.unref();
      this.response.on('drain', settle);
      this.signal.addEventListener('abort', onAbort);
    });
  }
}
