import { Injectable } from '@nestjs/common';
import type { EndedSessions } from './session-end.js';

type Handler = (ended: EndedSessions) => Promise<void>;

/** Lets those who keep something under a session end it in the same unit of work. */
@Injectable()
export class SessionEndings {
  private readonly handlers = new Set<Handler>();

  /** @returns what ends the registration. */
  register(handler: Handler): () => void {
    this.handlers.add(handler);
    return () => {
      this.handlers.delete(handler);
    };
  }

  /** Calls every handler, one after the other; a throw undoes the end. */
  async announce(ended: EndedSessions): Promise<void> {
    for (const handler of this.handlers) await handler(ended);
  }
}
