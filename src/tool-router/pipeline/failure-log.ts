import { Injectable, Logger } from '@nestjs/common';
import type { StewardError } from '../../common/steward-error.js';
import { redactText } from '../../tool-output/credential-scan.js';

/** Tells the operator what the caller is not told: the cause of faults of our own. */
@Injectable()
export class FailureLog {
  private readonly logger = new Logger('ToolCall');

  /** Logs the cause, without credentials; failures that a caller can correct are not logged. */
  log(id: string, error: StewardError): void {
    const { cause } = error;
    if (cause === undefined) return;
    const text = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
    this.logger.error(`${id} failed with ${error.code}: ${redactText(text)}`);
  }
}
