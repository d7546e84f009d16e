import { isCredentialKey, redactTokens } from '../tool-output/credential-text.js';
import { CliFailure } from './cli-failure.js';

/** How stdout shows the document; each is exactly one JSON document (PROTOCOL §4). */
export const FORMATS = ['json', 'pretty', 'text'] as const;

export type Format = (typeof FORMATS)[number];

/** What a command line asks for. */
export type Command =
  | { kind: 'usage'; format: Format }
  | {
      kind: 'call';
      format: Format;
      module: string;
      method: string;
      mode: string | undefined;
      /** Text of `--input`; undefined when the input comes from stdin. */
      input: string | undefined;
    };

const FLAGS = ['--mode', '--format', '--input'] as const;

type Flag = (typeof FLAGS)[number];

const isFlag = (text: string): text is Flag => FLAGS.some((flag) => flag === text);
const isFormat = (text: string): text is Format => FORMATS.some((format) => format === text);

/** Shortens and cleans what a person typed, so that a message can show it. */
export function shown(text: string): string {
  const clean = redactTokens(text).replace(/\p{Cc}/gu, '�');
  return JSON.stringify(clean.length > 64 ? `${clean.slice(0, 64)}…` : clean);
}

function refuseFlag(name: string): never {
  if (isCredentialKey(name)) {
    throw new CliFailure(
      'CREDENTIAL_IN_INPUT',
      'A credential is not taken from arguments; it is read from PROJECT_CLI_CREDENTIAL only.',
    );
  }
  throw new CliFailure(
    'INVALID_TOOL_CALL',
    `Unknown flag ${shown(name)}; known are ${FLAGS.join(', ')}.`,
  );
}

/** Splits `--flag value` and `--flag=value` from the words. */
function split(argv: readonly string[]): { words: string[]; flags: Map<Flag, string> } {
  const words: string[] = [];
  const flags = new Map<Flag, string>();
  const rest = [...argv];
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    if (!arg.startsWith('-')) {
      words.push(arg);
      continue;
    }
    const equals = arg.indexOf('=');
    const name = equals === -1 ? arg : arg.slice(0, equals);
    if (!isFlag(name)) refuseFlag(name);
    if (flags.has(name)) {
      throw new CliFailure('INVALID_TOOL_CALL', `${name} is given more than once.`);
    }
    const value = equals === -1 ? rest.shift() : arg.slice(equals + 1);
    if (value === undefined || value === '' || (name !== '--input' && value.startsWith('-'))) {
      throw new CliFailure('INVALID_TOOL_CALL', `${name} needs a value.`);
    }
    flags.set(name, value);
  }
  return { words, flags };
}

/**
 * Reads the command line (PROTOCOL §4).
 * @param argv without the executable and the script.
 * @throws CliFailure INVALID_TOOL_CALL for whatever is unknown, missing, repeated or too much;
 * CREDENTIAL_IN_INPUT for a flag that names a credential.
 */
export function parseArguments(argv: readonly string[]): Command {
  if (argv.length === 1 && (argv[0] === '--help' || argv[0] === '-h')) {
    return { kind: 'usage', format: 'json' };
  }
  const { words, flags } = split(argv);
  const format = flags.get('--format') ?? 'json';
  if (!isFormat(format)) {
    throw new CliFailure(
      'INVALID_TOOL_CALL',
      `--format ${shown(format)} is not one of ${FORMATS.join(', ')}.`,
    );
  }
  const [module, method, ...extra] = words;
  if (module === 'help' && method === undefined && !flags.has('--input') && !flags.has('--mode')) {
    return { kind: 'usage', format };
  }
  if (!module || !method) {
    throw new CliFailure(
      'INVALID_TOOL_CALL',
      'A module and a method are needed; see project-cli help.',
    );
  }
  if (extra.length > 0) {
    throw new CliFailure('INVALID_TOOL_CALL', `Unexpected argument ${shown(extra[0] ?? '')}.`);
  }
  return {
    kind: 'call',
    format,
    module,
    method,
    mode: flags.get('--mode'),
    input: flags.get('--input'),
  };
}

/**
 * Module and method as the command line has them, cleaned: for the document of a call that gets no
 * answer. The value of a flag may stand in its place when the line cannot be read.
 */
export function guessTarget(argv: readonly string[]): { module: string; method: string } {
  const [module, method] = argv.filter((arg) => !arg.startsWith('-'));
  const clean = (word = '') =>
    redactTokens(word)
      .slice(0, 64)
      .replace(/\p{Cc}/gu, '\ufffd');
  return { module: clean(module), method: clean(method) };
}
