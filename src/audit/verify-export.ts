import { isJsonObject, type JsonObject, type JsonValue } from '../common/json.js';
import type { KeyLookup } from './audit-keys.js';
import type { AuditReport } from './audit-verifier.js';
import { ChainCheck, type AuditFinding, type ChainStart } from './chain-check.js';
import type { Seal, SealKind } from './chain.js';
import { searchColumns } from './read-entry.js';

/** What can be said of an export. */
export interface ExportReport extends Omit<AuditReport, 'waiting'> {
  /** Made with filters: nothing proves that what it leaves out is all that does not fit. */
  selection: boolean;
}

/** A line that is not what an export has at its place. */
class MalformedLine extends Error {}

/**
 * Checks an exported audit without a database, line by line: the chain, the seals, and that it has its
 * end. An export that begins in the middle is checked from the hash that it names.
 */
export async function verifyExport(
  lines: AsyncIterable<string>,
  keys: KeyLookup,
  report: (finding: AuditFinding) => void,
): Promise<ExportReport> {
  let findings = 0;
  const add = (finding: AuditFinding): void => {
    findings += 1;
    report(finding);
  };
  let check: ChainCheck | null = null;
  let selection = false;
  let ended = false;
  let number = 0;
  for await (const line of lines) {
    number += 1;
    try {
      const value = parse(line);
      if (ended) throw new MalformedLine('stands behind the end');
      if (!check) {
        if (value.type !== 'audit' || value.version !== 1) throw new MalformedLine('no export');
        selection = value.selection === true;
        check = new ChainCheck(keys, add, startOf(value.after), selection);
        if (isJsonObject(value.checkpoint)) check.checkpoint(sealOf(value.checkpoint));
      } else if (value.type === 'entry') check.entry(entryOf(value));
      else if (value.type === 'seal') check.seal(sealOf(value));
      else if (value.type === 'end') ended = true;
      else throw new MalformedLine('is of no known type');
      if (ended && value.entries !== check.entries) {
        const detail = `the export says ${String(value.entries)} entries and has ${check.entries}`;
        add({ kind: 'missing', seq: null, detail });
      }
    } catch (error) {
      if (!(error instanceof MalformedLine)) throw error;
      add({ kind: 'malformed', seq: null, detail: `line ${number} ${error.message}` });
      if (!check) break;
    }
  }
  if (!ended && check) add({ kind: 'truncated', seq: null, detail: 'the export has no end' });
  if (number === 0) add({ kind: 'malformed', seq: null, detail: 'the file is empty' });
  check?.end();
  return {
    entries: check?.entries ?? 0,
    head: check?.head ?? { seq: 0, hash: '' },
    findings,
    unknownKeys: [...(check?.unknownKids ?? [])],
    selection,
  };
}

function parse(line: string): JsonObject {
  try {
    const value: unknown = JSON.parse(line);
    if (isJsonObject(value)) return value;
  } catch {
    // Said below.
  }
  throw new MalformedLine('is no JSON object');
}

function entryOf(line: JsonObject) {
  const attested = line.attested === true;
  // JSON.parse and JSON.stringify give back what JSON.stringify wrote, to the byte.
  const content = isJsonObject(line.entry) ? JSON.stringify(line.entry) : text(line.content);
  const unreadable = {
    id: typeof line.id === 'string' ? line.id : '',
    at: new Date(0),
    kind: 'unreadable',
    actor: null,
    subject: null,
    runId: null,
  } as const;
  return {
    seq: integer(line.seq),
    prevHash: text(line.prevHash),
    hash: text(line.hash),
    attested,
    content,
    columns: (attested ? searchColumns(content) : null) ?? unreadable,
  };
}

function sealOf(line: JsonObject): Seal {
  const sealedAt = new Date(text(line.sealedAt));
  if (Number.isNaN(sealedAt.getTime())) throw new MalformedLine('has a member that is no date');
  return {
    kind: kindOf(line.kind),
    firstSeq: integer(line.firstSeq),
    seq: integer(line.seq),
    hash: text(line.hash),
    sealedAt,
    kid: text(line.kid),
    signature: text(line.signature),
  };
}

function kindOf(value: JsonValue | undefined): SealKind {
  if (value === 'batch' || value === 'checkpoint') return value;
  throw new MalformedLine('is a seal of no known kind');
}

function startOf(value: JsonValue | undefined): ChainStart {
  if (!isJsonObject(value)) throw new MalformedLine('does not say where it begins');
  return { seq: integer(value.seq), hash: text(value.hash) };
}

function text(value: JsonValue | undefined): string {
  if (typeof value === 'string') return value;
  throw new MalformedLine('lacks a text that it should have');
}

function integer(value: JsonValue | undefined): number {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  throw new MalformedLine('lacks a number that it should have');
}
