import { Inject, Injectable } from '@nestjs/common';
import { AttemptWindows } from '../../common/attempt-windows.js';
import { Clock } from '../../common/clock.js';
import { StewardError } from '../../common/steward-error.js';
import { APP_CONFIG, type AppConfig } from '../../config/app-config.js';

/** How many calls a user may make over HTTP in a minute, the children of runs included. */
@Injectable()
export class DoorBudget {
  private readonly windows: AttemptWindows;

  constructor(
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    clock: Clock,
  ) {
    this.windows = new AttemptWindows(clock);
  }

  /** Counts a call. @throws StewardError RATE_LIMITED past TOOL_RATE_LIMIT_PER_MINUTE. */
  take(userId: string): void {
    const retryAfterMs = this.windows.take(userId, this.config.TOOL_RATE_LIMIT_PER_MINUTE);
    if (retryAfterMs === null) return;
    throw new StewardError('RATE_LIMITED', 'Too many calls of project_cli; wait a moment.', {
      retryAfterMs,
    });
  }
}
