import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** One answer of the scripted endpoint. */
export interface ModelReply {
  /** Default 200. */
  status?: number;
  /** `never`: the connection is accepted, and not even a status comes. */
  headers?: Record<string, string> | 'never';
  /**
   * Sent in order: an object as a `data:` line, a string or bytes as they are, a number as a pause in ms.
   * `'[DONE]'` is sent as the protocol's last line.
   */
  lines: (object | string | Uint8Array | number)[];
  /** After the lines: close the response (default), break the connection, or keep it open. */
  end?: 'close' | 'break' | 'hang';
}

/** A request as the endpoint saw it. */
export interface ModelRequest {
  path: string;
  authorization: string | undefined;
  body: {
    model: string;
    stream: boolean;
    messages: Record<string, unknown>[];
    tools?: Record<string, unknown>[];
  };
}

export interface ModelServer {
  /** Value for MODEL_BASE_URL. */
  baseUrl: string;
  requests: ModelRequest[];
  /** Answers still to be given, first come first served; one may depend on its request. */
  replies: (ModelReply | ((request: ModelRequest) => ModelReply))[];
  /** Answers where no reply is left. */
  otherwise: (request: ModelRequest) => ModelReply;
  /** Resolves once a client has broken off an answer. */
  aborted: Promise<void>;
  close(): Promise<void>;
}

/** An HTTP server that speaks OpenAI's streaming chat completions, line by line as scripted. */
export async function startModelServer(): Promise<ModelServer> {
  let noteAbort = (): void => undefined;
  const model: Omit<ModelServer, 'baseUrl' | 'close'> = {
    requests: [],
    replies: [],
    otherwise: () => ({ status: 500, lines: ['no reply is scripted'] }),
    aborted: new Promise((resolve) => {
      noteAbort = resolve;
    }),
  };
  const server = createServer((request, response) => {
    response.on('close', () => {
      if (!response.writableFinished) noteAbort();
    });
    void answer(model, request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return Object.assign(model, {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  });
}

async function answer(
  model: Pick<ModelServer, 'requests' | 'replies' | 'otherwise'>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const seen: ModelRequest = {
    path: request.url ?? '',
    authorization: request.headers.authorization,
    body: JSON.parse(Buffer.concat(chunks).toString()) as ModelRequest['body'],
  };
  model.requests.push(seen);
  const scripted = model.replies.shift() ?? model.otherwise;
  const reply = typeof scripted === 'function' ? scripted(seen) : scripted;
  if (reply.headers === 'never') return;
  const status = reply.status ?? 200;
  const type = status === 200 ? 'text/event-stream' : 'application/json';
  response.writeHead(status, { 'content-type': type, ...reply.headers });
  response.flushHeaders();
  for (const line of reply.lines) {
    if (response.destroyed) return;
    if (typeof line === 'number') await delay(line);
    else if (line instanceof Uint8Array) response.write(line);
    else response.write(status === 200 ? frame(line) : text(line));
  }
  if (reply.end === 'hang') return;
  if (reply.end === 'break') response.destroy();
  else response.end();
}

function text(line: object | string): string {
  return typeof line === 'string' ? line : JSON.stringify(line);
}

function frame(line: object | string): string {
  if (typeof line === 'string' && line !== '[DONE]') return line;
  return `data: ${text(line)}\n\n`;
}

/** One `chat.completion.chunk` with a delta, and its end where `finish` is given. */
export function chunk(delta: object, finish: string | null = null, extra: object = {}): object {
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'scripted',
    choices: [{ index: 0, delta, finish_reason: finish }],
    ...extra,
  };
}

/** The last chunk of OpenAI: usage and no choices. */
export function usageChunk(input: number, output: number): object {
  const usage = {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
  };
  return { id: 'chatcmpl-1', object: 'chat.completion.chunk', choices: [], usage };
}

/** A whole answer in text. */
export function textReply(...pieces: string[]): ModelReply {
  return {
    lines: [
      chunk({ role: 'assistant', content: '' }),
      ...pieces.map((content) => chunk({ content })),
      chunk({}, 'stop'),
      usageChunk(10, 5),
      '[DONE]',
    ],
  };
}

/** A whole answer with calls of project_cli, the arguments of each in two pieces. */
export function callReply(
  ...calls: { module: string; method: string; input?: object }[]
): ModelReply {
  const pieces = calls.flatMap((call, index) => {
    const args = JSON.stringify(call);
    const half = Math.ceil(args.length / 2);
    const head = { index, id: `call_${index}`, type: 'function' };
    return [
      chunk({
        tool_calls: [
          { ...head, function: { name: 'project_cli', arguments: args.slice(0, half) } },
        ],
      }),
      chunk({ tool_calls: [{ index, function: { arguments: args.slice(half) } }] }),
    ];
  });
  return { lines: [...pieces, chunk({}, 'tool_calls'), usageChunk(20, 8), '[DONE]'] };
}
