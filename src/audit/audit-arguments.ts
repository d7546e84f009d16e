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

/** Null for anything else than the two commands with their options. */
export function readAuditArguments(argv: string[]): VerifyArguments | ExportArguments | null {
  const [command, ...rest] = argv;
  try {
    if (command === 'verify') return readVerify(rest);
    if (command === 'export') return readExport(rest);
  } catch {
    // What parseArgs does not know; the usage says it all.
  }
  return null;
}

const text = { type: 'string' } as const;

function readVerify(args: string[]): VerifyArguments | null {
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
  if (!expected || !/^\d{1,9}$/.test(seconds)) return null;
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

function readExport(args: string[]): ExportArguments | null {
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
  const times = [from, to].every((time) => time === undefined || isOffsetDateTime(time));
  if (!times || !/^\d{1,15}$/.test(after) || kind !== values.kind) return null;
  const filter: AuditFilter = { kind, actor, subject, runId, from, to };
  return { command: 'export', filter, after: Number(after) };
}
