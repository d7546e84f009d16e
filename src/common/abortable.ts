/**
 * `work`, or a rejection with the signal's reason once it aborts, whatever `work` goes on to do.
 * @param graceMs milliseconds that `work` still gets after the abort.
 */
export async function orAbort<T>(work: Promise<T>, signal: AbortSignal, graceMs = 0): Promise<T> {
  // The loser of the race must not become an unhandled rejection.
  work.catch(() => undefined);
  let timer: NodeJS.Timeout | undefined;
  let onAbort = (): void => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    onAbort = () => {
      const giveUp = () => reject(signal.reason as Error);
      if (graceMs === 0) giveUp();
      else timer = setTimeout(giveUp, graceMs);
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

/**
 * The items of `source` until `signal` aborts: then it throws the signal's reason at once and tells
 * the source to stop, without waiting for one that does not listen.
 */
export async function* untilAborted<T>(
  source: AsyncIterable<T>,
  signal: AbortSignal,
): AsyncGenerator<T, void, void> {
  const iterator = source[Symbol.asyncIterator]();
  let done = false;
  try {
    for (;;) {
      const next = await orAbort(iterator.next(), signal);
      if (next.done) {
        done = true;
        return;
      }
      yield next.value;
    }
  } finally {
    if (!done) void iterator.return?.()?.catch(() => undefined);
  }
}
