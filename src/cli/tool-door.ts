import type { ClientRequest, IncomingMessage } from 'node:http';
import type { JsonValue } from '../common/json.js';
import { CliFailure } from './cli-failure.js';
import type { CliEnvironment } from './environment.js';

/** What the tool door answered. */
export interface DoorAnswer {
  status: number;
  retryAfter: string | undefined;
  body: string;
}

/** Most bytes of an answer; the server's own limit of a result is lower. */
const MAX_ANSWER = 64 * 1024 * 1024;

const unreachable = (why: string) =>
  new CliFailure('DEPENDENCY_UNAVAILABLE', `The tool endpoint cannot be reached (${why}).`);

function readAnswer(
  response: IncomingMessage,
  done: (answer: DoorAnswer) => void,
  fail: (error: CliFailure) => void,
) {
  const chunks: Buffer[] = [];
  let size = 0;
  response.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > MAX_ANSWER)
      return fail(new CliFailure('OUTPUT_TOO_LARGE', 'The answer is too large.'));
    return chunks.push(chunk);
  });
  response.on('error', () => fail(unreachable('connection lost')));
  response.on('aborted', () => fail(unreachable('connection lost')));
  response.on('end', () =>
    done({
      status: response.statusCode ?? 0,
      retryAfter: response.headers['retry-after'],
      body: Buffer.concat(chunks).toString('utf8'),
    }),
  );
}

/**
 * Posts a call to the tool door (PROTOCOL §11) and gives back what it answered, whatever that is.
 * Redirects are not followed: the credential goes to the endpoint and nowhere else.
 * @throws CliFailure DEPENDENCY_UNAVAILABLE, TIMEOUT or OUTPUT_TOO_LARGE.
 */
export async function postCall(
  call: { module: string; method: string; input: JsonValue },
  environment: CliEnvironment,
): Promise<DoorAnswer> {
  const { url, credential, context, traceparent, timeoutMs } = environment;
  const { request } = await import(url.protocol === 'https:' ? 'node:https' : 'node:http');
  const body = Buffer.from(JSON.stringify(call), 'utf8');
  return new Promise((resolve, reject) => {
    const posted: ClientRequest = request(url, {
      method: 'POST',
      agent: false,
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${credential}`,
        connection: 'close',
        'content-length': body.length,
        'content-type': 'application/json',
        ...(context === undefined ? {} : { 'x-project-cli-context': context }),
        ...(traceparent === undefined ? {} : { traceparent }),
      },
    });
    const timer = setTimeout(
      () => fail(new CliFailure('TIMEOUT', 'The tool endpoint did not answer in time.')),
      timeoutMs,
    );
    const fail = (error: CliFailure) => {
      clearTimeout(timer);
      posted.destroy();
      reject(error);
    };
    posted.on('error', (error: NodeJS.ErrnoException) =>
      fail(unreachable(error.code ?? 'no answer')),
    );
    posted.on('response', (response: IncomingMessage) =>
      readAnswer(
        response,
        (answer) => {
          clearTimeout(timer);
          resolve(answer);
        },
        fail,
      ),
    );
    posted.end(body);
  });
}
