import type { Server } from 'node:http';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { orAbort } from '../../common/abortable.js';

/** Addresses of a server that listens on all of them. */
const ANY = new Set(['0.0.0.0', '::']);

/** Where this process can be reached from this machine; known only once it listens. */
@Injectable()
export class ListeningAddress implements OnModuleInit {
  private tell: (url: string) => void = () => undefined;
  private readonly told = new Promise<string>((resolve) => {
    this.tell = resolve;
  });

  constructor(private readonly host: HttpAdapterHost) {}

  onModuleInit(): void {
    this.host.listen$.subscribe(() => {
      const server = this.host.httpAdapter.getHttpServer() as Server;
      const bound = server.address();
      if (bound === null || typeof bound === 'string') return;
      const { address, family, port } = bound;
      const host = family === 'IPv6' ? `[${address}]` : address;
      this.set(`http://${ANY.has(address) ? '127.0.0.1' : host}:${port}`);
    });
  }

  /**
   * `http://127.0.0.1:3000`, once the server listens.
   * @throws the signal's reason when it aborts before.
   */
  url(signal: AbortSignal): Promise<string> {
    return orAbort(this.told, signal);
  }

  /** For a process whose server is not Nest's. */
  set(url: string): void {
    this.tell(url);
  }
}
