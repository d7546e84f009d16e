import { Global, Module, type DynamicModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DATABASE_OPTIONS, dataSourceOptions, type DatabaseOptions } from './data-source.js';
import { Notifications } from './notifications.js';
import { UnitOfWork } from './unit-of-work.js';

/** Opens the pool; entities come from each module's `TypeOrmModule.forFeature`. */
@Global()
@Module({})
export class DatabaseModule {
  static forRoot(options: DatabaseOptions): DynamicModule {
    return {
      module: DatabaseModule,
      imports: [
        TypeOrmModule.forRoot({
          ...dataSourceOptions(options),
          autoLoadEntities: true,
          retryAttempts: 1,
        }),
      ],
      providers: [{ provide: DATABASE_OPTIONS, useValue: options }, UnitOfWork, Notifications],
      exports: [DATABASE_OPTIONS, UnitOfWork, Notifications],
    };
  }
}
