import { Inject, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { DirectoryObjectStore } from './directory/directory-object-store.js';
import { OBJECT_STORE, type ObjectStore } from './object-store.js';

/**
 * Asks the store once after the start, beside it: the server also serves without (what a store that
 * is away cannot take stays in the database), but the operator should know.
 */
@Injectable()
export class ObjectStoreStart implements OnApplicationBootstrap {
  private readonly logger = new Logger('ObjectStore');

  constructor(@Inject(OBJECT_STORE) private readonly store: ObjectStore) {}

  onApplicationBootstrap(): void {
    void this.ask();
  }

  private async ask(): Promise<void> {
    try {
      await this.store.check();
      if (this.store instanceof DirectoryObjectStore) await this.store.sweep();
    } catch (error) {
      this.logger.warn(
        error,
        'The object store cannot be used; the server goes on without it until it can.',
      );
    }
  }
}
