import { createParser } from 'eventsource-parser';
import type { AppEvent } from './app-event.js';

/** An event with the id under which the stream can be resumed behind it. */
export interface Frame {
  id: number;
  event: AppEvent;
}

/** The server comments at least every 15 s; a stream silent for longer than this is dead. */
const SILENCE_MS = 45_000;

/**
 * The frames of one response, until it ends.
 * @throws Error when the connection breaks, or nothing came for 45 seconds.
 */
export async function* framesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Frame> {
  const pending: Frame[] = [];
  const parser = createParser({
    onEvent: ({ id, data }) => {
      if (id === undefined || !/^\d+$/.test(id))
        throw new Error('The stream has an event without an id.');
      pending.push({ id: Number(id), event: JSON.parse(data) as AppEvent });
    },
  });
  const decoder = new TextDecoder();
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await inTime(reader.read());
      if (done) return;
      parser.feed(decoder.decode(value, { stream: true }));
      yield* pending.splice(0);
    }
  } finally {
    // Leaving early lets the server know; a broken stream has nothing left to cancel.
    await reader.cancel().catch(() => undefined);
  }
}

async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('The stream is silent.')), SILENCE_MS);
  });
  try {
    return await Promise.race([work, silence]);
  } finally {
    clearTimeout(timer);
  }
}
