import { Global, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE } from '@nestjs/core';
import { TerminusModule } from '@nestjs/terminus';
import { RedisModule } from '../redis/redis.module.js';
import { DoorHealthModule } from '../tool-router/executors/door-health.module.js';
import { DatabaseHealth } from './database-health.js';
import { HealthController } from './health.controller.js';
import { MetricsController } from './metrics.controller.js';
import { ProblemFilter } from './problem.filter.js';
import { RateLimitGuard } from './rate-limit.guard.js';
import { Shutdown } from './shutdown.js';
import { InputValidationPipe } from './validation.pipe.js';

/** What every HTTP route gets without asking: problem documents, validation, rate limit, health. */
@Global()
@Module({
  imports: [TerminusModule.forRoot({ logger: false }), RedisModule, DoorHealthModule],
  controllers: [HealthController, MetricsController],
  providers: [
    DatabaseHealth,
    Shutdown,
    { provide: APP_FILTER, useClass: ProblemFilter },
    { provide: APP_PIPE, useClass: InputValidationPipe },
    { provide: APP_GUARD, useClass: RateLimitGuard },
  ],
})
export class HttpModule {}
