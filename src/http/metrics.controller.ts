import { createHash, timingSafeEqual } from 'node:crypto';
import { Controller, Get, Headers, Inject, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags, ApiUnauthorizedResponse } from '@nestjs/swagger';
import type { Response } from 'express';
import { Public } from '../auth/decorators.js';
import { bearerToken } from '../common/bearer-token.js';
import { StewardError } from '../common/steward-error.js';
import { APP_CONFIG, type AppConfig } from '../config/app-config.js';
import { Metrics } from '../observability/metrics.js';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Metrics of this process (PROTOCOL §11); open like the probes, unless METRICS_TOKEN is set. */
@ApiTags('health')
@Public()
@Controller()
export class MetricsController {
  private readonly expected: Buffer | null;

  constructor(
    @Inject(APP_CONFIG) { METRICS_TOKEN: token }: AppConfig,
    private readonly metrics: Metrics,
  ) {
    this.expected = token === undefined ? null : digest(token);
  }

  /** @throws StewardError CREDENTIAL_MISSING or CREDENTIAL_INVALID when METRICS_TOKEN asks for more. */
  @Get('metrics')
  @ApiOperation({
    summary: 'Metrics for Prometheus',
    description:
      'Of this process alone. With METRICS_TOKEN only to who sends it as a bearer token.',
  })
  @ApiOkResponse({ content: { 'text/plain': { schema: { type: 'string' } } } })
  @ApiUnauthorizedResponse({ description: 'CREDENTIAL_MISSING, CREDENTIAL_INVALID' })
  async scrape(
    @Headers('authorization') authorization: string | undefined,
    @Res() response: Response,
  ): Promise<void> {
    this.admit(authorization);
    const text = await this.metrics.text();
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader('Content-Type', this.metrics.contentType);
    response.send(text);
  }

  private admit(authorization: string | undefined): void {
    if (this.expected === null) return;
    if (!authorization)
      throw new StewardError('CREDENTIAL_MISSING', 'The metrics token is required.');
    // Digests have one length, and say nothing of the token's.
    if (!timingSafeEqual(digest(bearerToken(authorization) ?? ''), this.expected)) {
      throw new StewardError('CREDENTIAL_INVALID', 'This is not the metrics token.');
    }
  }
}
