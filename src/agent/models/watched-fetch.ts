/** The mark after which an endpoint has nothing more to say; a line of its own in the stream. */
const DONE = /(^|\n)data: ?\[DONE\]/;
const DONE_LENGTH = 15;

/** What was seen of a response while it passed by. */
export interface StreamWatch {
  onBytes: () => void;
  /** True once `[DONE]` went by. */
  done: boolean;
}

/**
 * `fetch` that reports every byte of a successful response to `watch`, and ends the response at
 * `[DONE]`: the client waits for the connection to close, which some endpoints leave open. A redirect
 * fails: an endpoint does not decide to whom else conversations are sent.
 */
export function watchedFetch(watch: StreamWatch): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, { ...init, redirect: 'error' });
    watch.onBytes();
    if (!response.ok || !response.body) return response;
    let tail = '\n';
    const observer = new TransformStream<Uint8Array, Uint8Array>({
      transform(bytes, controller) {
        watch.onBytes();
        controller.enqueue(bytes);
        const seen = tail + Buffer.from(bytes).toString('latin1');
        tail = seen.slice(-DONE_LENGTH);
        if (DONE.test(seen)) {
          watch.done = true;
          controller.enqueue(new TextEncoder().encode('\n\n'));
          controller.terminate();
        }
      },
    });
    return new Response(response.body.pipeThrough(observer), {
      status: response.status,
      statusText: response.statusText,
      headers: response.headers,
    });
  };
}
