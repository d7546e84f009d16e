import { Inject, Injectable, Logger } from '@nestjs/common';
import { APP_CONFIG, type AppConfig } from '../config/app-config.js';
import { cached } from '../observability/cached.js';

/** Milliseconds for the answer, and for which it is believed. */
const PATIENCE_MS = 1_000;
const BELIEVED_MS = 2_000;

/**
 * Whether the tool door of a worker answers: at `PROJECT_CLI_ENDPOINT`, an API replica or the proxy
 * before several. Without it every call of the worker's runs would fail.
 */
@Injectable()
export class DoorHealth {
  private readonly logger = new Logger('ToolDoor');
  private wasUp = true;

  constructor(@Inject(APP_CONFIG) private readonly config: AppConfig) {}

  /** True also in a process that serves the tool door itself. Never rejects. */
  readonly isUp = cached(BELIEVED_MS, () => this.ask());

  private async ask(): Promise<boolean> {
    const { ROLE, PROJECT_CLI_ENDPOINT: endpoint } = this.config;
    if (ROLE !== 'worker' || endpoint === undefined) return true;
    const up = await answers(`${endpoint.replace(/\/+$/, '')}/healthz`);
    if (!up && this.wasUp) this.logger.error(`Not ready: nothing answers at ${endpoint}.`);
    this.wasUp = up;
    return up;
  }
}

/** A proxy that has no replica left says so with 502 or 503; one that keeps the probe to itself is there. */
async function answers(url: string): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const response = await fetch(url, { signal, redirect: 'manual' });
    await response.body?.cancel();
    return response.status < 500;
  } catch {
    return false;
  }
}
