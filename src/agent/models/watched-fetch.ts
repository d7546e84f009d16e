import { StewardError } from '../../common/steward-error.js';

/** The mark after which an endpoint has nothing more to say; a line of its own in the stream. */
const DONE = /(^|\n)data: ?\[DONE\]/;
const DONE_LENGTH = 15;

/** Bytes of one answer, its chunks with all they repeat; past it the endpoint is broken. */
const MAX_BYTES = 64 * 1024 * 1024;

/** What was seen of a response while it passed by. */
export interface StreamWatch {
  onBytes: () => void;
  /** True once `[DONE]` went by, or the answer came as one whole document. */
  done: boolean;
}

/**
 * `fetch` that reports every byte of a successful response to `watch`, and ends the response at
 * `[DONE]`: the client waits for the connection to close, which some endpoints leave open. An answer
 * that is one JSON document, as of endpoints that do not stream, becomes a stream of one event. A
 * redirect fails: an endpoint does not decide to whom else conversations are sent.
 */
export function watchedFetch(watch: StreamWatch): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, { ...init, redirect: 'error' });
    watch.onBytes();
    if (!response.ok || !response.body) return response;
    return new Response(response.body.pipeThrough(observer(watch)), {
      status: response.status,
      statusText: response.statusText,
      headers: response.headers,
    });
  };
}

function observer(watch: StreamWatch): TransformStream<Uint8Array, Uint8Array> {
  let tail = '\n';
  let received = 0;
  let form: 'unknown' | 'stream' | 'document' = 'unknown';
  const document: Uint8Array[] = [];
  return new TransformStream({
    transform(bytes, controller) {
      watch.onBytes();
      received += bytes.length;
      if (received > MAX_BYTES) {
        controller.error(
          new StewardError('LIMIT_EXCEEDED', 'The model endpoint’s answer is too large.'),
        );
        return;
      }
      const text = Buffer.from(bytes).toString('latin1');
      if (form === 'unknown') form = formOf(text);
      if (form === 'document') document.push(bytes);
      if (form !== 'stream') return;
      controller.enqueue(bytes);
      const seen = tail + text;
      tail = seen.slice(-DONE_LENGTH);
      if (DONE.test(seen)) {
        watch.done = true;
        controller.enqueue(new TextEncoder().encode('\n\n'));
        controller.terminate();
      }
    },
    flush(controller) {
      const text = Buffer.concat(document).toString('utf8').trim();
      if (text === '') return;
      watch.done = true;
      // Line breaks in JSON are white space; in an event they would end the line.
      controller.enqueue(new TextEncoder().encode(`data: ${text.replace(/[\r\n]+/g, ' ')}\n\n`));
    },
  });
}

/**
 * What an answer is that begins like this; white space before it says nothing and is dropped. No line of
 * an event stream begins with a brace, and JSON that is an answer does.
 */
function formOf(begin: string): 'unknown' | 'stream' | 'document' {
  const text = begin.trimStart();
  if (text === '') return 'unknown';
  return text.startsWith('{') ? 'document' : 'stream';
}
