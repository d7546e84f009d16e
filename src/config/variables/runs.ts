import { str } from 'envalid';
import { integer, listOf } from './kinds.js';
import { defineTheme } from './theme.js';

/** What a file that a person attaches may be; each is recognised by its content. */
const ATTACHMENT_TYPES = [
  'image/png',
  'image/jpeg',
  'image/webp',
  'image/gif',
  'application/pdf',
  'text/plain',
  'text/markdown',
  'text/csv',
  'application/json',
];

/** What a run may cost, and how many there are at once. */
export const RUNS = defineTheme({
  title: 'Runs',
  variables: {
    CONTEXT_MAX_TOKENS: integer(
      6_000,
      2_000_000,
    )({
      default: 32_000,
      desc: 'Tokens of one request to the model, at most: system message, tool, conversation and 2,000 for the answer. Older results are shown as summaries and the oldest messages left out where they do not fit. Not above the model’s own limit.',
    }),
    ATTACHMENT_MAX_BYTES: integer(
      1024,
      64 * 1024 * 1024,
    )({ default: 10 * 1024 * 1024, desc: 'Largest file that a person may attach, in bytes.' }),
    ATTACHMENT_USER_MAX_BYTES: integer(
      1024,
      2 ** 40,
    )({
      default: 512 * 1024 * 1024,
      desc: 'Bytes that all files of one person may have together.',
    }),
    ATTACHMENT_TYPES: listOf(ATTACHMENT_TYPES)({
      default: ATTACHMENT_TYPES,
      desc: 'Types of files that are accepted, comma-separated; found in the content, not in the name.',
    }),
    RUN_MAX_TURNS: integer(
      1,
      100,
    )({
      default: 12,
      desc: 'Model turns in a run, and in those that go on with what tools of its client gave.',
    }),
    RUN_MAX_IDENTICAL_CALLS: integer(
      2,
      100,
    )({
      default: 3,
      desc: 'Identical tool calls in a row that end a run; so do up to four different ones in turn, so often.',
    }),
    RUN_MAX_CALLS: integer(
      1,
      10_000,
    )({
      default: 100,
      desc: 'Tool calls in a run, and in those that go on with what tools of its client gave.',
    }),
    RUN_MAX_TOKENS: integer(
      0,
      100_000_000,
    )({
      default: 0,
      desc: 'Tokens of all model turns of a run, and of those that go on with what tools of its client gave, read and written, past which it gets no further turn; 0: no limit.',
    }),
    RUN_TIMEOUT_SECONDS: integer(
      5,
      600,
    )({
      default: 280,
      desc: 'Life of a run; not above CREDENTIAL_TTL_SECONDS, under whose credential it acts.',
    }),
    RUN_CONCURRENCY: integer(
      1,
      1000,
    )({ default: 16, desc: 'Runs executed at once by this process.' }),
    RUN_CONCURRENCY_PER_USER: integer(
      1,
      1000,
    )({
      default: 8,
      desc: 'Runs of one user that this process executes at once; the others wait for their turn.',
    }),
    RUN_MAX_ACTIVE_PER_USER: integer(
      1,
      10_000,
    )({
      default: 50,
      desc: 'Runs of one user that may be queued or under way, in all processes; past it a new one gets 429.',
    }),
    RUN_QUEUE_MAX: integer(
      1,
      100_000,
    )({
      default: 200,
      desc: 'Runs of all users that may wait for a place, in all processes; past it a new one gets 429.',
    }),
    RUN_LEASE_SECONDS: integer(
      5,
      300,
    )({
      default: 15,
      desc: 'Seconds without a heartbeat after which a run of a dead process is taken up by another.',
    }),
    RUN_MAX_ATTEMPTS: integer(
      1,
      20,
    )({
      default: 3,
      desc: 'Processes that may die while they execute a run, or tries to write its end, before it is given up.',
    }),
    RUN_ON_DISCONNECT: str({
      choices: ['continue', 'cancel'],
      default: 'continue',
      desc: 'What a client that leaves the streaming POST does to its run.',
    }),
  },
});
