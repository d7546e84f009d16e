import { Controller, Get, Header } from '@nestjs/common';
import {
  ApiOkResponse,
  ApiOperation,
  ApiServiceUnavailableResponse,
  ApiTags,
} from '@nestjs/swagger';
import { HealthCheckService } from '@nestjs/terminus';
import { Public } from '../auth/decorators.js';
import { StewardError } from '../common/steward-error.js';
import { Notifications } from '../database/notifications.js';
import { ObjectStoreHealth } from '../object-store/object-store-health.js';

/** What the probe for readiness answers. */
interface Readiness {
  /** degraded: requests are served, but some of what they show may be missing. */
  status: 'ok' | 'degraded';
  database: 'up';
  notifications: 'up' | 'reconnecting';
  objectStore: 'up' | 'down';
}
import { DatabaseHealth } from './database-health.js';

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
      'Needs the database alone. `degraded` when the object store does not answer: nothing is lost, but large tool outputs show without their cards and attachments are refused.',
  })
  @ApiOkResponse({
    schema: {
      example: { status: 'ok', database: 'up', notifications: 'up', objectStore: 'up' },
    },
  })
  @ApiServiceUnavailableResponse({ description: 'DEPENDENCY_UNAVAILABLE' })
  async ready(): Promise<Readiness> {
    const asked = this.objectStore.state();
    try {
      await this.health.check([() => this.database.check(2000)]);
    } catch (error) {
      throw new StewardError(
        'DEPENDENCY_UNAVAILABLE',
        'The database does not answer.',
        {},
        {
          cause: error,
        },
      );
    }
    const notifications = this.notifications.connected ? 'up' : 'reconnecting';
    const objectStore = await asked;
    const status = objectStore === 'up' ? 'ok' : 'degraded';
    return { status, database: 'up', notifications, objectStore };
  }
}
