import { setImmediate as nextTurn } from 'node:timers/promises';
import { isNestedDeeper } from '../../common/json-depth.js';
import { isJsonObject, type JsonObject } from '../../common/json.js';
import { StewardError } from '../../common/steward-error.js';
import { EventStream, type StreamEvent } from './event-stream.js';
import { errorEvent, streamFailure } from './model-errors.js';

/** The mark after which an endpoint has nothing more to say. */
const DONE = '[DONE]';

/** Bytes of one answer, its chunks with all they repeat; past it the endpoint is broken. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Characters of one chunk, or of an answer in one document; it is parsed at once. */
const MAX_CHUNK_CHARACTERS = 2 * 1024 * 1024;

/** Levels of one chunk: arguments as objects may have 32 and stand in six more. */
const MAX_DEPTH = 100;

/**
 * Reads an endpoint's answer: a stream of events, or the one JSON document of an endpoint that does not
 * stream. No line of an event stream begins with a brace, and JSON that is an answer does; white space
 * before it says nothing. What is no JSON object, as the pings of gateways, is left out. The answer ends at
 * `[DONE]`, also on a connection that some endpoints leave open.
 * @param body bytes as they arrive; let go of when the reading ends.
 * @param onBytes called with each of them.
 * @yields each object, and `done` once the endpoint has said that it is whole.
 * @throws StewardError LIMIT_EXCEEDED for an answer that is too large, whatever tells of a failure in place
 *   of a chunk; SyntaxError for a chunk that is cut, garbled or nested too deeply; what the body fails with.
 */
export async function* readAnswer(
  body: AsyncIterable<Uint8Array>,
  onBytes: () => void,
): AsyncGenerator<JsonObject | 'done', void, void> {
  const decoder = new TextDecoder();
  const events = new EventStream(DONE, MAX_CHUNK_CHARACTERS);
  const document: string[] = [];
  let form: 'unknown' | 'stream' | 'document' = 'unknown';
  let received = 0;
  let characters = 0;
  for await (const bytes of body) {
    onBytes();
    received += bytes.length;
    if (received > MAX_BYTES) throw tooLarge();
    let text = decoder.decode(bytes, { stream: true });
    if (form === 'unknown') {
      text = text.trimStart();
      if (text === '') continue;
      form = text.startsWith('{') ? 'document' : 'stream';
    }
    if (form === 'document') {
      document.push(text);
      characters += text.length;
      if (characters > MAX_CHUNK_CHARACTERS) throw tooLarge();
      continue;
    }
    for (const part of toParts(events.push(text))) {
      yield part;
      if (part === 'done') return;
    }
    if (events.isTooLarge) throw tooLarge();
    // An answer that arrives faster than it is read would keep everybody else waiting to its end.
    await nextTurn();
  }
  if (form === 'document') {
    yield* toParts([{ name: '', data: document.join('') + decoder.decode() }]);
    yield 'done';
    return;
  }
  yield* toParts(events.push(decoder.decode()));
  yield* toParts(events.flush());
}

function* toParts(events: Iterable<StreamEvent>): Generator<JsonObject | 'done', void, void> {
  for (const { name, data } of events) {
    if (data === DONE) {
      yield 'done';
      return;
    }
    if (isNestedDeeper(data, MAX_DEPTH)) throw new SyntaxError('a chunk is nested too deeply');
    if (name === 'error') throw errorEvent(data);
    if (!data.trimStart().startsWith('{')) continue;
    const value: unknown = JSON.parse(data);
    const failure = streamFailure(value);
    if (failure) throw failure;
    if (isJsonObject(value)) yield value;
  }
}

function tooLarge(): StewardError {
  return new StewardError('LIMIT_EXCEEDED', 'The model endpoint’s answer is too large.');
}
