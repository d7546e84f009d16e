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
  @ApiOperation({ summary: 'Every dependency answers' })
  @ApiOkResponse({
    schema: { example: { status: 'ok', database: 'up', notifications: 'up' } },
  })
  @ApiServiceUnavailableResponse({ description: 'DEPENDENCY_UNAVAILABLE' })
  async ready(): Promise<{ status: 'ok'; database: 'up'; notifications: 'up' | 'reconnecting' }> {
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
    return { status: 'ok', database: 'up', notifications };
  }
}
