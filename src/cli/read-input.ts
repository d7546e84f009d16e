import { fstatSync } from 'node:fs';
import { isJsonObject, type JsonValue } from '../common/json.js';
import type { Command } from './arguments.js';
import { CliFailure } from './cli-failure.js';

/** Asked for only when fd 0 has something: a terminal is never opened. */
type Stdin = () => Pick<NodeJS.ReadStream, 'on' | 'destroy'>;

/** Most bytes that stdin may hold; the server's own limit is usually lower. */
const MAX_INPUT = 64 * 1024 * 1024;

/** Milliseconds after which a pipe that nobody closes is given up. */
const STDIN_TIMEOUT_MS = 30_000;

/** Milliseconds in which a pipe beside `--input` can show that it also carries an input. */
const SECOND_INPUT_MS = 100;

/** True when fd 0 is a pipe, a socket or a file that holds something, so no terminal. */
function mayHaveInput(): boolean {
  try {
    const stat = fstatSync(0);
    return stat.isFIFO() || stat.isSocket() || (stat.isFile() && stat.size > 0);
  } catch {
    return false;
  }
}

/** All of stdin; with `giveUpMs` only what comes in that time, without complaint. */
function readStdin(open: Stdin, giveUpMs?: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const stdin = open();
    const chunks: Buffer[] = [];
    let size = 0;
    const timer = setTimeout(() => {
      if (giveUpMs !== undefined) return finish();
      return fail('INVALID_TOOL_CALL', 'stdin did not end in time.');
    }, giveUpMs ?? STDIN_TIMEOUT_MS);
    const close = () => {
      clearTimeout(timer);
      stdin.destroy();
    };
    const finish = () => {
      close();
      try {
        resolve(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)));
      } catch {
        reject(new CliFailure('INVALID_TOOL_CALL', 'stdin is not UTF-8 text.'));
      }
    };
    const fail = (code: 'INVALID_TOOL_CALL' | 'LIMIT_EXCEEDED', message: string) => {
      close();
      reject(new CliFailure(code, message));
    };
    stdin.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size > MAX_INPUT) fail('LIMIT_EXCEEDED', 'stdin is too large.');
      else if (giveUpMs !== undefined) finish();
    });
    stdin.on('end', finish);
    stdin.on('error', () => fail('INVALID_TOOL_CALL', 'stdin cannot be read.'));
  });
}

function parse(text: string, from: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    throw new CliFailure('INVALID_TOOL_CALL', `${from} is not valid JSON.`);
  }
}

function withMode(input: JsonValue, mode: string | undefined): JsonValue {
  if (mode === undefined) return input;
  if (!isJsonObject(input)) {
    throw new CliFailure('INVALID_TOOL_CALL', '--mode needs an input that is a JSON object.');
  }
  if (input.mode !== undefined && input.mode !== mode) {
    throw new CliFailure(
      'INVALID_TOOL_CALL',
      'mode is given by --mode and, otherwise, in the input.',
    );
  }
  return { ...input, mode };
}

/**
 * The input of a call: `--input`, or stdin when it is no terminal, or `{}`; with `--mode` in it.
 * What kind of JSON it is, the router judges.
 * @throws CliFailure INVALID_TOOL_CALL when it is no JSON, or given twice.
 */
export async function readInput(
  command: Extract<Command, { kind: 'call' }>,
  stdin: Stdin,
): Promise<JsonValue> {
  const { input, mode } = command;
  const piped = mayHaveInput();
  if (input !== undefined) {
    if (piped && (await readStdin(stdin, SECOND_INPUT_MS)).trim() !== '') {
      throw new CliFailure('INVALID_TOOL_CALL', 'The input is given both by --input and on stdin.');
    }
    return withMode(parse(input, '--input'), mode);
  }
  const text = piped ? await readStdin(stdin) : '';
  return withMode(text.trim() === '' ? {} : parse(text, 'stdin'), mode);
}
