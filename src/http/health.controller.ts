import { Controller, Get, Header, Inject } from '@nestjs/common';
import {
  ApiOkResponse,
  ApiOperation,
  ApiServiceUnavailableResponse,
  ApiTags,
} from '@nestjs/swagger';
import { HealthCheckService } from '@nestjs/terminus';
import { Public } from '../auth/decorators.js';
import { Notifications } from '../database/notifications.js';
import { ObjectStoreHealth } from '../object-store/object-store-health.js';
import { REDIS_CLIENTS, type RedisClients } from '../redis/redis-clients.js';
import { DoorHealth, type DoorState } from '../tool-router/executors/door-health.js';
import { DatabaseHealth, type DatabaseFault } from './database-health.js';
import { NotReadyError } from './not-ready-error.js';
import { Shutdown } from './shutdown.js';

/** What the probe for readiness answers. */
interface Readiness {
  /** degraded: requests are served, but some of what they show may be missing or late. */
  status: 'ok' | 'degraded';
  database: 'up';
  /** reconnecting: cancels and events of other replicas are looked for, and come late. */
  notifications: 'up' | 'reconnecting';
  objectStore: 'up' | 'down';
  /** Absent without REDIS_URL. Runs and streams go on without it, over PostgreSQL. */
  redis?: { status: 'up' } | { status: 'down'; degraded: true };
}

const FAULTS: Record<DatabaseFault, string> = {
  silent: 'The database does not answer.',
  outdated: 'The database lacks migrations of this version.',
};

const DOOR_FAULTS: Record<Exclude<DoorState, 'up'>, string> = {
  silent: 'The tool door does not answer.',
  foreign: 'The tool door does not accept the signing key of this worker.',
};

const UP = { status: 'up' } as const;
const DOWN = { status: 'down', degraded: true } as const;

/** Milliseconds for the database's answer. */
const PATIENCE_MS = 2_000;

/** Probes for a process manager: alive, and ready to take requests. */
@ApiTags('health')
@Public()
@Controller()
export class HealthController {
  constructor(
    private readonly health: HealthCheckService,
    private readonly database: DatabaseHealth,
    private readonly notifications: Notifications,
    private readonly objectStore: ObjectStoreHealth,
    private readonly door: DoorHealth,
    private readonly shutdown: Shutdown,
    @Inject(REDIS_CLIENTS) private readonly redis: RedisClients | null,
  ) {}

  @Get('healthz')
  @Header('Cache-Control', 'no-store')
  @ApiOperation({ summary: 'The process is alive' })
  @ApiOkResponse({ schema: { example: { status: 'ok' } } })
  alive(): { status: 'ok' } {
    return { status: 'ok' };
  }

  @Get('readyz')
  @Header('Cache-Control', 'no-store')
  @ApiOperation({
    summary: 'Requests can be served',
    description:
      'Needs the database with all migrations of this version, and at a worker its tool door; 503 also once the process has been told to stop. `degraded` when the object store does not answer: nothing is lost, but large tool outputs show without their cards and attachments are refused; when Redis, where one is configured, does not: PostgreSQL does its work; and while the connection for PostgreSQL notifications is made anew: what other replicas tell is looked for, and comes late.',
  })
  @ApiOkResponse({
    schema: {
      example: { status: 'ok', database: 'up', notifications: 'up', objectStore: 'up' },
    },
  })
  @ApiServiceUnavailableResponse({ description: 'DEPENDENCY_UNAVAILABLE' })
  async ready(): Promise<Readiness> {
    if (this.shutdown.isUnderWay) {
      throw new NotReadyError('The server is shutting down.');
    }
    const asked = this.objectStore.state();
    const door = this.door.state();
    try {
      await this.health.check([() => this.database.check(PATIENCE_MS)]);
    } catch (cause) {
      throw new NotReadyError(FAULTS[this.database.fault ?? 'silent'], cause);
    }
    const doorState = await door;
    if (doorState !== 'up') {
      throw new NotReadyError(DOOR_FAULTS[doorState]);
    }
    const notifications = this.notifications.connected ? 'up' : 'reconnecting';
    const objectStore = await asked;
    const redis = this.redis && (this.redis.up ? UP : DOWN);
    const whole = notifications === 'up' && objectStore === 'up' && redis !== DOWN;
    const status = whole ? 'ok' : 'degraded';
    return { status, database: 'up', notifications, objectStore, ...(redis && { redis }) };
  }
}
