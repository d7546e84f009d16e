import { Inject, Injectable } from '@nestjs/common';
import { Metrics } from '../observability/metrics.js';
import { REDIS_CLIENTS, type RedisClients } from './redis-clients.js';

/** Whether Redis is there; without REDIS_URL there is nothing to tell. */
@Injectable()
export class RedisMetrics {
  constructor(metrics: Metrics, @Inject(REDIS_CLIENTS) clients: RedisClients | null) {
    if (!clients) return;
    metrics.gauge(
      'steward_redis_up',
      '1 while every connection to Redis works; 0 while PostgreSQL carries its part.',
      [],
      () => [[{}, clients.up ? 1 : 0]],
    );
    const fallbacks = metrics.counter(
      'steward_redis_fallbacks_total',
      'Runs that wait, and threads with new events, that were told of over PostgreSQL, because Redis would not take it.',
      ['use'],
    );
    // Told from the start, so that a rate can be made of it.
    for (const use of ['runs', 'events'] as const) fallbacks.inc({ use }, 0);
    clients.onFallback((use, count) => fallbacks.inc({ use }, count));
  }
}
