import { Inject, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { orAbort } from '../common/abortable.js';
import { DirectoryObjectStore } from './directory/directory-object-store.js';
import { OBJECT_STORE, type ObjectStore } from './object-store.js';

/** A probe waits for a second at most, and has other things to ask. */
const PATIENCE_MS = 500;

/**
 * Knows whether the object store can be used. The server starts and serves without it: what cannot
 * be stored stays in the database, what cannot be read is shown without its card (PROTOCOL §9). So it
 * is asked beside the start, and the operator is told when it goes and when it comes back.
 */
@Injectable()
export class ObjectStoreHealth implements OnApplicationBootstrap {
  private readonly logger = new Logger('ObjectStore');
  private asking: Promise<void> | undefined;
  private down = false;

  constructor(@Inject(OBJECT_STORE) private readonly store: ObjectStore) {}

  onApplicationBootstrap(): void {
    void this.start();
  }

  /** `up` when the store answers within half a second. Probes at once share one question. */
  async state(): Promise<'up' | 'down'> {
    try {
      await orAbort(this.ask(), AbortSignal.timeout(PATIENCE_MS));
      return 'up';
    } catch {
      return 'down';
    }
  }

  private async start(): Promise<void> {
    try {
      await this.ask();
      if (this.store instanceof DirectoryObjectStore) await this.store.sweep();
    } catch {
      // `check` has told of it; drafts that could not be swept now are at the next start.
    }
  }

  private ask(): Promise<void> {
    this.asking ??= this.check().finally(() => {
      this.asking = undefined;
    });
    return this.asking;
  }

  private async check(): Promise<void> {
    try {
      await this.store.check();
      if (this.down) this.logger.log('The object store can be used again.');
      this.down = false;
    } catch (error) {
      if (!this.down) {
        this.logger.warn(
          `The object store cannot be used (${reasonOf(error)}); the server serves without it until it can.`,
        );
      }
      this.down = true;
      throw error;
    }
  }
}

/** What the store said and, for the operator, how: `connect ECONNREFUSED 10.0.0.7:9000`. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'for an unknown reason';
  return error.cause instanceof Error ? error.cause.message : error.message;
}
