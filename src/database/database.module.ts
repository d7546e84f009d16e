import { Global, Logger, Module, type DynamicModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ConnectionPool } from './connection-pool.js';
import { DATABASE_OPTIONS, dataSourceOptions, type DatabaseOptions } from './data-source.js';
import { AdminStateEntity } from './entities/admin-state.entity.js';
import { Notifications } from './notifications.js';
import { PersonalData } from './personal-data.js';
import { StateWatch } from './state-watch.js';
import { UnitOfWork } from './unit-of-work.js';

/** Opens the pool; entities come from each module's `TypeOrmModule.forFeature`. */
@Global()
@Module({})
export class DatabaseModule {
  static forRoot(options: DatabaseOptions): DynamicModule {
    const logger = new Logger('Database');
    return {
      module: DatabaseModule,
      imports: [
        TypeOrmModule.forRoot({
          ...dataSourceOptions(options, (line) => logger.warn(line)),
          autoLoadEntities: true,
          retryAttempts: 1,
        }),
        TypeOrmModule.forFeature([AdminStateEntity]),
      ],
      providers: [
        { provide: DATABASE_OPTIONS, useValue: options },
        ConnectionPool,
        UnitOfWork,
        Notifications,
        PersonalData,
        StateWatch,
      ],
      exports: [
        DATABASE_OPTIONS,
        ConnectionPool,
        UnitOfWork,
        Notifications,
        PersonalData,
        StateWatch,
      ],
    };
  }
}
