import type { AuditKind } from './audit-entry.js';
import type { ChainLink, Seal, SealKind } from './chain.js';

/** A row of the inbox as the sealer finds it. */
export interface InboxRow {
  id: string;
  content: string;
  mac: string;
  /** What stands in the chain under this id already. */
  sealedContent: string | null;
}

/** Members of an entry that columns repeat. */
export interface SearchColumns {
  id: string;
  at: Date;
  /** `unreadable`: what no server wrote. */
  kind: AuditKind | 'unreadable';
  actor: string | null;
  subject: string | null;
  runId: string | null;
}

/** A sealed entry. */
export interface ChainEntry extends ChainLink {
  hash: string;
  columns: SearchColumns;
}

/** Columns of EntryRow. */
export const ENTRY_COLUMNS =
  'seq, id, at, kind, actor, subject, run_id, content, attested, prev_hash, hash';
/** Columns of SealRow. */
export const SEAL_COLUMNS = 'seq, kind, first_seq, hash, sealed_at, kid, signature';

/** A row of `audit_entries` as the driver gives it. */
export interface EntryRow {
  seq: string;
  id: string;
  at: Date;
  kind: SearchColumns['kind'];
  actor: string | null;
  subject: string | null;
  run_id: string | null;
  content: string;
  attested: boolean;
  prev_hash: string;
  hash: string;
}

/** A row of `audit_seals` as the driver gives it. */
export interface SealRow {
  seq: string;
  kind: SealKind;
  first_seq: string;
  hash: string;
  sealed_at: Date;
  kid: string;
  signature: string;
}

/** Numbers of PostgreSQL's bigint come as text. */
export function entryOf(row: EntryRow): ChainEntry {
  const { content, attested, hash, id, at, kind, actor, subject } = row;
  return {
    seq: Number(row.seq),
    prevHash: row.prev_hash,
    attested,
    content,
    hash,
    columns: { id, at, kind, actor, subject, runId: row.run_id },
  };
}

/** As `entryOf`. */
export function sealOf({ first_seq: firstSeq, sealed_at: sealedAt, seq, ...rest }: SealRow): Seal {
  return { ...rest, sealedAt, seq: Number(seq), firstSeq: Number(firstSeq) };
}
