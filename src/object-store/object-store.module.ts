import { Global, Module, type DynamicModule } from '@nestjs/common';
import { join } from 'node:path';
import type { AppConfig } from '../config/app-config.js';
import { DirectoryObjectStore } from './directory/directory-object-store.js';
import { OBJECT_STORE } from './object-store.js';

/** Gives every module the ObjectStore that the configuration names. */
@Global()
@Module({})
export class ObjectStoreModule {
  static forRoot(config: AppConfig): DynamicModule {
    return {
      module: ObjectStoreModule,
      providers: [
        {
          provide: OBJECT_STORE,
          useFactory: () => new DirectoryObjectStore(join(config.DATA_DIR, 'objects')),
        },
      ],
      exports: [OBJECT_STORE],
    };
  }
}
