import type { CliDocument } from '../tool-router/cli-document.js';
import { FORMATS } from './arguments.js';

/** The document of `project-cli help`. */
export const USAGE: CliDocument = {
  ok: true,
  status: 'success',
  module: 'help',
  method: 'usage',
  data: {
    usage: [
      'project-cli <module> <method> [--mode M] [--format json|pretty|text] [--input JSON] [< input.json]',
      'project-cli help',
    ],
    discover: [
      'project-cli help methods',
      'project-cli help describe --input \'{"module":"calendar","method":"read"}\'',
    ],
    flags: {
      '--mode': 'sets input.mode',
      '--format': `${FORMATS.join(', ')}: compact JSON, indented JSON, or the JSON text that a model gets`,
      '--input': 'the input as JSON; else it is read from stdin, else it is {}',
    },
    environment: {
      PROJECT_CLI_CREDENTIAL: 'controlled credential of the call; taken from nowhere else',
      PROJECT_CLI_ENDPOINT: 'base URL of the server',
      PROJECT_CLI_CONTEXT: 'JSON set by the runtime: run_id, tool_call_id, locale, timezone',
      PROJECT_CLI_TIMEOUT_MS: 'milliseconds to wait for the answer, 60000 unless set',
    },
    exit: {
      0: 'success',
      1: 'failure',
      2: 'invalid input',
      3: 'not allowed, or unknown module or method',
      4: 'credential missing, invalid, expired or revoked',
      5: 'not found',
      6: 'conflict',
      7: 'partial',
      8: 'unavailable or timed out',
    },
  },
};
