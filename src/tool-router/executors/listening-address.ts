import { Injectable } from '@nestjs/common';

/** Where this process can be reached from this machine; known only once it listens. */
@Injectable()
export class ListeningAddress {
  #url: string | undefined;

  /** `http://127.0.0.1:3000`; undefined before the server listens. */
  get url(): string | undefined {
    return this.#url;
  }

  /** Set by whoever opens the socket. */
  set(url: string): void {
    this.#url = url.replace(/\/+$/, '');
  }
}
