import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';

/** Milliseconds that a connection whose request has been answered is kept by a server that stops. */
const LAST_KEEP_ALIVE_MS = 1;
/** Milliseconds that a connection gets for its first request then; clients open some in advance. */
const LAST_REQUEST_MS = 500;

/**
 * Whether this process has been told to stop. From then on `/readyz` says 503, while runs and streams
 * come to their end, and connections are not kept for a next request: the server waits for them.
 */
@Injectable()
export class Shutdown implements OnModuleInit, OnModuleDestroy {
  /** Connections that have not carried a request. */
  private readonly unused = new Set<Socket>();
  private begun = false;

  constructor(private readonly host: HttpAdapterHost) {}

  get isUnderWay(): boolean {
    return this.begun;
  }

  onModuleInit(): void {
    this.server?.on('connection', (socket: Socket) => {
      this.unused.add(socket);
      socket.once('close', () => this.unused.delete(socket));
      if (this.begun) socket.setTimeout(LAST_REQUEST_MS);
    });
    this.server?.on('request', ({ socket }: IncomingMessage) => {
      if (this.unused.delete(socket) && this.begun) socket.setTimeout(0);
    });
  }

  /** To be called before anything is closed. */
  begin(): void {
    if (this.begun) return;
    this.begun = true;
    if (this.server) this.server.keepAliveTimeout = LAST_KEEP_ALIVE_MS;
    for (const socket of this.unused) socket.setTimeout(LAST_REQUEST_MS);
  }

  onModuleDestroy(): void {
    this.begin();
  }

  /** Absent where the application does not listen. */
  private get server(): Server | undefined {
    return this.host.httpAdapter?.getHttpServer() as Server | undefined;
  }
}
