import { Module } from '@nestjs/common';
import type { RedisOptions } from 'ioredis';
import { APP_CONFIG, type AppConfig } from '../config/app-config.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { REDIS_CLIENTS, RedisClients, deploymentName } from './redis-clients.js';
import { RedisMetrics } from './redis-metrics.js';

/** Redis where REDIS_URL names one; nothing is loaded without. */
@Module({
  providers: [
    RedisMetrics,
    {
      provide: REDIS_CLIENTS,
      inject: [APP_CONFIG, UnitOfWork],
      useFactory: async (config: AppConfig, uow: UnitOfWork): Promise<RedisClients | null> => {
        const { REDIS_URL } = config;
        if (REDIS_URL === undefined) return null;
        const { Redis } = await import('ioredis');
        const create = (options: RedisOptions) => new Redis(REDIS_URL, options);
        return new RedisClients(await deploymentName(uow), create);
      },
    },
  ],
  exports: [REDIS_CLIENTS],
})
export class RedisModule {}
