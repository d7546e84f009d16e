import { Module, type DynamicModule } from '@nestjs/common';
import { CommonModule } from './common/common.module.js';
import type { AppConfig } from './config/app-config.js';
import { ConfigModule } from './config/config.module.js';
import { DatabaseModule } from './database/database.module.js';
import { HttpModule } from './http/http.module.js';
import { ObjectStoreModule } from './object-store/object-store.module.js';
import { ObservabilityModule } from './observability/observability.module.js';

/** What every feature stands on: configuration, clock, database, object store, metrics, HTTP conventions. */
@Module({})
export class PlatformModule {
  static forRoot(config: AppConfig, databaseUrl: string): DynamicModule {
    return {
      module: PlatformModule,
      imports: [
        ConfigModule.forRoot(config),
        CommonModule,
        DatabaseModule.forRoot({ url: databaseUrl, poolSize: config.DATABASE_POOL_SIZE }),
        ObjectStoreModule.forRoot(config),
        ObservabilityModule,
        HttpModule,
      ],
    };
  }
}
