import { Injectable } from '@nestjs/common';
import { ConnectionPool } from '../database/connection-pool.js';
import { Notifications } from '../database/notifications.js';
import { Metrics } from './metrics.js';

/** How the database's connections are used. */
@Injectable()
export class DatabaseMetrics {
  constructor(metrics: Metrics, pool: ConnectionPool, notifications: Notifications) {
    metrics.gauge(
      'steward_database_connections',
      'Connections of the pool by what they do, and callers that wait for one.',
      ['state'],
      () => {
        const { idle, inUse, waiting } = pool.use();
        return [
          [{ state: 'idle' }, idle],
          [{ state: 'in_use' }, inUse],
          [{ state: 'waiting' }, waiting],
        ];
      },
    );
    metrics.gauge(
      'steward_notifications_connected',
      '1 while notifications of other replicas arrive, 0 while they may be missed.',
      [],
      () => [[{}, notifications.connected ? 1 : 0]],
    );
  }
}
