import { str } from 'envalid';
import { httpUrl, integer } from './kinds.js';
import { defineTheme } from './theme.js';

/** How calls are executed, and where their records go. */
export const TOOL_CALLS = defineTheme({
  title: 'Tool calls',
  variables: {
    CLI_EXECUTOR: str({
      choices: ['process', 'inline', 'http'],
      default: undefined,
      desc: 'How the agent runtime executes a call. process: in a child process with project-cli. inline: in this process. http: by a request to the tool door at PROJECT_CLI_ENDPOINT. Default: http for a worker, otherwise process.',
    }),
    CLI_TIMEOUT_MS: integer(
      1000,
      300_000,
    )({
      default: 30_000,
      desc: 'Milliseconds after which a project-cli child is killed, or a request to the tool door given up.',
    }),
    CLI_OUTPUT_MAX_BYTES: integer(
      1024,
      64 * 1024 * 1024,
    )({
      default: 2 * 1024 * 1024,
      desc: 'Bytes of output after which a project-cli child is killed, or an answer of the tool door given up.',
    }),
    PROJECT_CLI_ENDPOINT: httpUrl({
      default: undefined,
      desc: 'Base URL at which calls of project_cli reach the tool door: from a child, from a worker. Default: the listening address.',
    }),
    INTERRUPT_TTL_SECONDS: integer(
      30,
      7 * 24 * 3600,
    )({
      default: 3600,
      desc: 'How long an approval, a question, or a call that the client carries out waits for its answer. Outside of runs an approval or a question ends with the credential under which was asked, too.',
    }),
    TOOL_OUTPUT_MAX_BYTES: integer(
      1024,
      64 * 1024 * 1024,
    )({
      default: 1024 * 1024,
      desc: 'Largest projection of one result; past it the call fails with OUTPUT_TOO_LARGE.',
    }),
    TOOL_OUTPUT_STORAGE: str({
      choices: ['auto', 'always', 'never'],
      default: 'auto',
      desc: 'Which records of tool calls go to the object store: those above TOOL_OUTPUT_INLINE_MAX_BYTES, all or none. May be changed at any time; what is stored already stays readable.',
    }),
    TOOL_OUTPUT_INLINE_MAX_BYTES: integer(
      0,
      16 * 1024 * 1024,
    )({
      default: 16 * 1024,
      desc: 'Largest record that `auto` keeps in the database, in bytes of JSON.',
    }),
    TOOL_OUTPUT_READ_TIMEOUT_MS: integer(
      50,
      60_000,
    )({
      default: 2_000,
      desc: 'Milliseconds after which history and streams show the summary of a record that the object store has not given back.',
    }),
    TOOL_OUTPUT_WRITE_TIMEOUT_MS: integer(
      50,
      60_000,
    )({
      default: 2_000,
      desc: 'Milliseconds after which a record that the object store has not taken stays in the database until the sweeper moves it.',
    }),
    TOOL_OUTPUT_SWEEP_SECONDS: integer(
      1,
      3600,
    )({
      default: 30,
      desc: 'Seconds between two sweeps, which move records that could not be stored and delete objects of deleted threads; more while the object store does not answer.',
    }),
  },
});
