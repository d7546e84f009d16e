import type { RunAppender } from './run-appender.js';
import type { Written } from './run-rows.js';

/** Characters that wait for the log before the model is held up. */
const BACKLOG_MAX = 8_192;

/**
 * Writes what a model says while it says it. Pieces are gathered while an append is under way, so that a
 * fast model costs few writes and a slow one no delay.
 */
export class PiecePump {
  private writing: Promise<void> | null = null;

  /** @param next what is to be written now; no events when there is nothing. */
  constructor(
    private readonly appender: RunAppender,
    private readonly next: () => Written,
  ) {}

  /**
   * Pieces have come. Resolves at once unless the log is far behind.
   * @param backlog characters that wait to be written.
   * @throws what a write failed with.
   */
  async pieces(backlog: number): Promise<void> {
    if (backlog === 0) return;
    this.writing ??= this.write();
    if (backlog > BACKLOG_MAX) await this.drain();
  }

  /** Resolves once nothing waits any more. @throws what a write failed with. */
  async drain(): Promise<void> {
    await this.settled();
    this.appender.check();
  }

  /** Resolves once what is under way is written, or has failed. */
  async settled(): Promise<void> {
    await this.writing;
  }

  private async write(): Promise<void> {
    // Pieces that arrive in the same tick go out together.
    await Promise.resolve();
    try {
      while (!this.appender.failed) {
        const { events, rows } = this.next();
        if (events.length === 0) break;
        await this.appender.append(() => events, rows);
      }
    } catch (error) {
      this.appender.fail(error);
    } finally {
      this.writing = null;
    }
  }
}
