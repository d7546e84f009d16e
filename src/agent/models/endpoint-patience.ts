import { StewardError } from '../../common/steward-error.js';

/**
 * How long an endpoint may be silent: until the first sign of an answer, and between two of them.
 * Aborts `signal` with StewardError TIMEOUT when it is silent for longer.
 */
export class EndpointPatience {
  private readonly controller = new AbortController();
  private timer: NodeJS.Timeout;
  private begun = false;

  /**
   * @param firstMs milliseconds until the first sign.
   * @param betweenMs milliseconds until each further one.
   */
  constructor(
    firstMs: number,
    private readonly betweenMs: number,
  ) {
    this.timer = setTimeout(this.giveUp, firstMs);
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Something has arrived. */
  readonly renew = (): void => {
    if (this.begun) {
      this.timer.refresh();
      return;
    }
    this.begun = true;
    clearTimeout(this.timer);
    this.timer = setTimeout(this.giveUp, this.betweenMs);
  };

  /** Nothing is waited for any more. */
  end(): void {
    clearTimeout(this.timer);
  }

  private readonly giveUp = (): void => {
    this.controller.abort(
      new StewardError('TIMEOUT', 'The model endpoint did not answer in time.'),
    );
  };
}
