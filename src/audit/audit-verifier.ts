import { readContent } from './read-entry.js';
import type { KeyLookup } from './audit-keys.js';
import type { AuditLogRepository } from './audit-log.repository.js';
import { CHAIN_BEGIN, ChainCheck, type AuditFinding, type ChainStart } from './chain-check.js';

/** Rows that are held at once. */
const PAGE = 1000;

/** What a check of the audit came to. */
export interface AuditReport {
  entries: number;
  /** The last entry: note it elsewhere, and `--expect` finds out whether the end was cut off. */
  head: ChainStart;
  findings: number;
  /** Keys of seals that later ones vouch for. */
  unknownKeys: string[];
  /** Entries that wait for their seal. */
  waiting: number;
}

/** What a check is to know besides the database. */
export interface VerifyOptions {
  keys: KeyLookup;
  /** An entry that was noted elsewhere, and must be there as it was. */
  expect?: ChainStart | undefined;
  /** How long an entry may wait for its seal, in ms. */
  maxWaitMs: number;
  now: Date;
  report: (finding: AuditFinding) => void;
}

/**
 * Checks the audit in the database, in bounded memory. Run it in one REPEATABLE READ transaction:
 * sealing goes on meanwhile.
 */
export async function verifyAudit(
  log: AuditLogRepository,
  { keys, expect, maxWaitMs, now, report }: VerifyOptions,
): Promise<AuditReport> {
  let findings = 0;
  const add = (finding: AuditFinding): void => {
    findings += 1;
    report(finding);
  };
  const checkpoint = await log.checkpoint();
  const check = new ChainCheck(keys, add, checkpoint ?? CHAIN_BEGIN);
  if (checkpoint) check.checkpoint(checkpoint);
  const stray = checkpoint ? await log.entries(0, checkpoint.seq, 1) : [];
  for (const { seq } of stray) {
    add({ kind: 'inserted', seq, detail: 'stands before the checkpoint of retention' });
  }

  let after = checkpoint?.seq ?? 0;
  let expected = expect === undefined || expect.seq < after || sameAs(checkpoint, expect);
  for (;;) {
    const page = await log.entries(after, Number.MAX_SAFE_INTEGER, PAGE);
    const last = page.at(-1);
    if (!last) break;
    const seals = await log.seals(after, last.seq, PAGE);
    let next = 0;
    for (const entry of page) {
      // A seal of an entry that is gone comes before the next one that is there.
      for (let seal = seals[next]; seal && seal.seq < entry.seq; seal = seals[next]) {
        check.seal(seal);
        next += 1;
      }
      check.entry(entry);
      expected ||= sameAs(entry, expect);
      for (let seal = seals[next]; seal?.seq === entry.seq; seal = seals[next]) {
        check.seal(seal);
        next += 1;
      }
    }
    after = last.seq;
  }
  for (let seals = await log.seals(after, Number.MAX_SAFE_INTEGER, PAGE); seals.length > 0;) {
    for (const seal of seals) check.seal(seal);
    seals = await log.seals(seals.at(-1)?.seq ?? after, Number.MAX_SAFE_INTEGER, PAGE);
  }
  check.end();
  if (!expected && expect) {
    add({ kind: 'truncated', seq: expect.seq, detail: 'the entry that was noted is not there' });
  }
  const { count, oldest } = await log.waiting();
  const since = oldest === null ? null : writtenAt(oldest);
  if (count > 0 && (since === null || now.getTime() - since.getTime() > maxWaitMs)) {
    const detail = `${count} entries wait for their seal, since ${since?.toISOString() ?? 'ever'}`;
    add({ kind: 'backlog', seq: null, detail });
  }
  return {
    entries: check.entries,
    head: check.head,
    findings,
    unknownKeys: [...check.unknownKids],
    waiting: count,
  };
}

function sameAs(found: ChainStart | null, expect: ChainStart | undefined): boolean {
  return found?.seq === expect?.seq && found?.hash === expect?.hash;
}

function writtenAt(content: string): Date | null {
  const at = readContent(content)?.at;
  const date = typeof at === 'string' ? new Date(at) : null;
  return date && !Number.isNaN(date.getTime()) ? date : null;
}
