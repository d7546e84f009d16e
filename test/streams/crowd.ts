import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { createParser } from 'eventsource-parser';
import type { ApiClient } from '../support/api-client.js';

/** An event stream that is read as it comes, until it ends or is left. */
export class OpenStream {
  /** Ids of the events that came, in order. */
  readonly ids: number[] = [];
  /** Resolves when the server has ended the stream, or it was left. */
  readonly over: Promise<void>;
  private readonly waiting = new Set<() => void>();

  private constructor(private readonly response: IncomingMessage) {
    this.over = this.read().catch(() => undefined);
  }

  /** On a connection of its own. @throws Error when the server does not answer with a stream. */
  static async of(client: ApiClient, threadId: string, lastId?: number): Promise<OpenStream> {
    const request = get(`${client.url}/api/v1/agent/runs/${threadId}/events`, {
      agent: false,
      headers: {
        authorization: `Bearer ${client.token}`,
        ...(lastId !== undefined && { 'last-event-id': lastId }),
      },
    });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    if (response.statusCode !== 200) throw new Error(`${threadId}: ${response.statusCode}`);
    return new OpenStream(response);
  }

  /** Resolves once the event with that id has come. */
  async until(id: number): Promise<void> {
    let open = true;
    const over = this.over.then(() => {
      open = false;
      return false;
    });
    while ((this.ids.at(-1) ?? 0) < id) {
      if (!open) throw new Error(`the stream ended after ${this.ids.at(-1)}`);
      await Promise.race([over, new Promise<void>((resolve) => this.waiting.add(resolve))]);
    }
  }

  /** Closes the connection, as a browser that is closed does. */
  async leave(): Promise<void> {
    this.response.destroy();
    await this.over;
  }

  private async read(): Promise<void> {
    const parser = createParser({ onEvent: ({ id }) => this.ids.push(Number(id)) });
    for await (const text of this.response.setEncoding('utf8')) {
      parser.feed(String(text));
      for (const wake of this.waiting) wake();
      this.waiting.clear();
    }
  }
}

/** A client that asks for a stream and then reads nothing of it. */
export async function sleepingClient(client: ApiClient, threadId: string): Promise<Socket> {
  const { hostname, port } = new URL(client.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  socket.write(
    `GET /api/v1/agent/runs/${threadId}/events?after=0 HTTP/1.1\r\nHost: ${hostname}:${port}\r\n` +
      `Authorization: Bearer ${client.token}\r\n\r\n`,
  );
  await once(socket, 'readable');
  return socket;
}

/** Ids of the events in what a client that slept finds in its socket, until that ends. */
export async function idsWithin(socket: Socket): Promise<number[]> {
  const ids: number[] = [];
  // Node's chunks are those of HTTP; the parser passes over their sizes as unknown fields.
  const parser = createParser({ onEvent: ({ id }) => ids.push(Number(id)) });
  socket.setEncoding('utf8');
  for await (const text of socket) parser.feed(String(text));
  return ids;
}
