import { parseArgs } from 'node:util';
import { isOffsetDateTime } from '../common/date-times.js';
import { AUDIT_KINDS } from './audit-entry.js';
import type { AuditFilter } from './audit-log.repository.js';
import type { ChainStart } from './chain-check.js';
import type { ExportRequest } from './export-lines.js';

export const AUDIT_USAGE = `Usage: npm run audit -- verify [--file FILE] [--jwks FILE] [--expect SEQ:HASH] [--max-wait SECONDS] [--json]
       npm run audit -- export [--after SEQ] [--kind KIND] [--actor ID] [--subject TEXT] [--run ID]
                               [--from TIME] [--to TIME]

verify   finds entries of the audit that were changed, removed, inserted or put in another order
  --file      checks an export (- reads it from standard input) instead of the database
  --jwks      a JWK set with the public keys that sealed it, beside those of the configuration
  --expect    an entry that was noted elsewhere, as verify names the last one
  --max-wait  how long an entry may wait for its seal, in seconds (60)
  --json      writes one JSON document a line
export   writes the audit as JSON lines to standard output

Exit status: 0 nothing is wrong; 1 something is; 2 it could not be checked.
`;

/** What `audit verify` is told on its command line. */
export interface VerifyArguments {
  command: 'verify';
  /** Path of an export; `-` for standard input. */
  file: string | null;
  jwks: string | null;
  expect: ChainStart | undefined;
  maxWaitMs: number;
  json: boolean;
}

/** What `audit export` is told on its command line. */
export interface ExportArguments extends ExportRequest {
  command: 'export';
}

/** What is wrong with a command line. */
export interface AuditUsage {
  command: 'usage';
  problem: string;
}

/** The two commands with their options; for anything else, what is wrong with it. */
export function readAuditArguments(argv: string[]): VerifyArguments | ExportArguments | AuditUsage {
  const [command, ...rest] = argv;
  try {
    if (command === 'verify') return readVerify(rest);
    if (command === 'export') return readExport(rest);
  } catch (error) {
    return { command: 'usage', problem: error instanceof Error ? error.message : String(error) };
  }
  return { command: 'usage', problem: 'Give a command: verify or export.' };
}

const text = { type: 'string' } as const;

/** @throws Error that says what is wrong. */
function readVerify(args: string[]): VerifyArguments {
  const options = {
    file: text,
    jwks: text,
    expect: text,
    'max-wait': text,
    json: { type: 'boolean' },
  } as const;
  const { values } = parseArgs({ args, options });
  const expected =
    values.expect === undefined ? [] : /^(\d{1,15}):([0-9a-f]{64})$/.exec(values.expect);
  const seconds = values['max-wait'] ?? '60';
  if (!expected) {
    throw new Error('--expect needs SEQ:HASH as verify prints it, with all 64 digits of the hash.');
  }
  if (!/^\d{1,9}$/.test(seconds)) throw new Error('--max-wait needs a whole number of seconds.');
  const [, seq, hash] = expected;
  return {
    command: 'verify',
    file: values.file ?? null,
    jwks: values.jwks ?? null,
    expect: seq === undefined || hash === undefined ? undefined : { seq: Number(seq), hash },
    maxWaitMs: Number(seconds) * 1000,
    json: values.json ?? false,
  };
}

/** @throws Error that says what is wrong. */
function readExport(args: string[]): ExportArguments {
  const options = {
    after: text,
    kind: text,
    actor: text,
    subject: text,
    run: text,
    from: text,
    to: text,
  };
  const { values } = parseArgs({ args, options });
  const { actor, subject, run: runId, from, to } = values;
  const kind = AUDIT_KINDS.find((known) => known === values.kind);
  const after = values.after ?? '0';
  if (![from, to].every((time) => time === undefined || isOffsetDateTime(time))) {
    throw new Error('--from and --to need a time such as 2026-12-01T00:00:00Z.');
  }
  if (!/^\d{1,15}$/.test(after)) throw new Error('--after needs the number of an entry.');
  if (kind !== values.kind) throw new Error(`--kind is one of ${AUDIT_KINDS.join(', ')}.`);
  const filter: AuditFilter = { kind, actor, subject, runId, from, to };
  return { command: 'export', filter, after: Number(after) };
}
