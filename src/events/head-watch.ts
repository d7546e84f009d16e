/** What one follower has heard of its thread's head, and its way to sleep until that grows. */
export class HeadWatch {
  /** Highest id heard of; 0 before anything was heard. */
  head = 0;
  /** How often it has heard of a head, whichever. */
  heard = 0;
  /** True once the thread was deleted. */
  gone = false;
  private wake: (() => void) | null = null;

  /** @param close ends the watch. */
  constructor(readonly close: () => void) {}

  /** Notes that events up to `head` are committed. */
  notice(head: number): void {
    this.heard += 1;
    if (head > this.head) this.head = head;
    this.wake?.();
  }

  /**
   * Notes that a read which began when it had heard `heard` times found nothing behind `id`: what it
   * had heard of was cut short, or made up. What it has heard of since may be there.
   */
  endsAt(id: number, heard: number): void {
    if (this.heard === heard) this.head = Math.min(this.head, id);
  }

  /** Notes that the thread is deleted. */
  end(): void {
    this.gone = true;
    this.wake?.();
  }

  /** Resolves when there is something after `id`, the thread is gone, or `signal` aborts. */
  async grown(id: number, signal: AbortSignal): Promise<void> {
    while (this.head <= id && !this.gone && !signal.aborted) {
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          signal.removeEventListener('abort', wake);
          this.wake = null;
          resolve();
        };
        this.wake = wake;
        signal.addEventListener('abort', wake);
      });
    }
  }
}
