import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable } from '@nestjs/common';
import type { CallContext } from './call-context.js';

/**
 * The call that the current asynchronous work belongs to. What narrows every look-up of a call,
 * whichever module makes it, is asked here, so that no module can forget to pass it along.
 */
@Injectable()
export class CurrentCall {
  private readonly contexts = new AsyncLocalStorage<CallContext>();

  /** Null outside of calls. */
  get context(): CallContext | null {
    return this.contexts.getStore() ?? null;
  }

  run<T>(context: CallContext, work: () => T): T {
    return this.contexts.run(context, work);
  }
}
