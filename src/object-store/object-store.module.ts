import { Global, Module, type DynamicModule } from '@nestjs/common';
import { join } from 'node:path';
import type { AppConfig } from '../config/app-config.js';
import { DirectoryObjectStore } from './directory/directory-object-store.js';
import { ObjectStoreHealth } from './object-store-health.js';
import { OBJECT_STORE, type ObjectStore } from './object-store.js';

/** Gives every module the ObjectStore that the configuration names. */
@Global()
@Module({})
export class ObjectStoreModule {
  static forRoot(config: AppConfig): DynamicModule {
    return {
      module: ObjectStoreModule,
      providers: [
        { provide: OBJECT_STORE, useFactory: () => openObjectStore(config) },
        ObjectStoreHealth,
      ],
      exports: [OBJECT_STORE, ObjectStoreHealth],
    };
  }
}

/** The store of `S3_ENDPOINT`, or else the folder `objects` in DATA_DIR. It is not asked yet. */
export async function openObjectStore(config: AppConfig): Promise<ObjectStore> {
  const { S3_ENDPOINT } = config;
  if (S3_ENDPOINT === undefined) {
    return new DirectoryObjectStore(join(config.DATA_DIR, 'objects'));
  }
  // Loaded only here: the S3 client takes a good part of a second.
  const [{ S3ObjectStore }, { s3Options }] = await Promise.all([
    import('./s3/s3-object-store.js'),
    import('./s3/s3-options.js'),
  ]);
  return new S3ObjectStore(s3Options({ ...config, S3_ENDPOINT }));
}
