import { Logger } from '@nestjs/common';

const logger = new Logger('Redis');

/** Says once that a connection to Redis does not work, and once that it does again. */
export class OutageLog {
  private saidDown = false;
  private closed = false;

  /** @param name of the connection. */
  constructor(private readonly name: string) {}

  /** @param why the message of an error alone, because an error of the client carries its command. */
  down(why: string): void {
    if (this.closed || this.saidDown) return;
    this.saidDown = true;
    const how = `Redis does not answer (${this.name}: ${why})`;
    logger.warn(`${how}; PostgreSQL tells the processes what they need to know.`);
  }

  up(): void {
    if (this.saidDown) logger.log(`Redis answers again (${this.name}).`);
    this.saidDown = false;
  }

  /** From now on the connection ends because it is to. */
  close(): void {
    this.closed = true;
  }
}
