import type { Server } from 'node:http';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';

/** Milliseconds that a connection whose request has been answered is kept by a server that stops. */
const LAST_KEEP_ALIVE_MS = 1;

/**
 * Whether this process has been told to stop. From then on `/readyz` says 503, while runs and streams
 * come to their end, and connections are not kept for a next request: the server waits for them.
 */
@Injectable()
export class Shutdown implements OnModuleDestroy {
  private begun = false;

  constructor(private readonly host: HttpAdapterHost) {}

  get isUnderWay(): boolean {
    return this.begun;
  }

  /** To be called before anything is closed. */
  begin(): void {
    if (this.begun) return;
    this.begun = true;
    const server = this.host.httpAdapter?.getHttpServer() as Server | undefined;
    if (server) server.keepAliveTimeout = LAST_KEEP_ALIVE_MS;
  }

  onModuleDestroy(): void {
    this.begin();
  }
}
