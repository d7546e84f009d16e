import { Inject, Injectable, Logger } from '@nestjs/common';
import { APP_CONFIG, type AppConfig } from '../../../config/app-config.js';
import { isPassingFailure } from '../../../database/passing-failure.js';
import { RunLostError } from '../../../events/run-lost-error.js';
import { RunReleases } from '../queue/run-releases.js';
import type { Run } from '../run.js';
import { CLOSING_FALLBACKS } from './open-call-records.js';
import { RunCloser } from './run-closer.js';
import { cancelled, endingOf, type Ended, type Ending } from './run-ending.js';

/**
 * What becomes of a run whose end could not be written. What the database breaks off is done again by
 * whoever claims the run. Every other fault is an attempt (RUN_MAX_ATTEMPTS), also in a process that lives;
 * after the last one the run ends without what stands in the way: no run holds its thread for ever.
 */
@Injectable()
export class UnwrittenEnds {
  private readonly logger = new Logger(UnwrittenEnds.name);

  constructor(
    @Inject(APP_CONFIG) private readonly config: Pick<AppConfig, 'RUN_MAX_ATTEMPTS'>,
    private readonly closer: RunCloser,
    private readonly releases: RunReleases,
  ) {}

  /**
   * Never rejects. A run that even the last resort does not end keeps its lease until that runs out, and
   * is then claimed for it again.
   * @param ending that could not be written.
   * @param error why.
   * @param signal of the run's execution.
   */
  async take(run: Run, ending: Ending, error: unknown, signal: AbortSignal): Promise<void> {
    if (error instanceof RunLostError) return;
    if (isPassingFailure(error)) return this.releases.release(run, error, signal);
    const stack = error instanceof Error ? error.stack : String(error);
    this.logger.error(`The end of run ${run.id} could not be written`, stack);
    if (run.attempts + 1 < this.config.RUN_MAX_ATTEMPTS) {
      return this.releases.release(run, error, signal, true);
    }
    await this.endAnyhow(run, lastEnding(run, ending), signal);
  }

  private async endAnyhow(run: Run, ending: Ended, signal: AbortSignal): Promise<void> {
    const ways = [
      ...CLOSING_FALLBACKS.map(
        (fallback) => () => this.closer.closeFromLog(run, ending, { fallback }),
      ),
      () => this.closer.closeWithErrorOnly(run, ending),
    ];
    for (const close of ways) {
      try {
        return await close();
      } catch (error) {
        if (error instanceof RunLostError) return;
        if (isPassingFailure(error)) return this.releases.release(run, error, signal);
        this.logger.error(`Run ${run.id} could not be ended so, either: ${String(error)}`);
      }
    }
  }
}

/** What somebody wished for stays so; what the run has come to otherwise is not known any more. */
function lastEnding({ threadId, usage, locale }: Run, ending: Ending): Ended {
  const known = ending.usage ?? usage;
  if (ending.status === 'cancelled') return cancelled(threadId, known);
  return endingOf(new Error('no end could be written'), threadId, known, locale);
}
