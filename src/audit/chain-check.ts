import type { KeyLookup } from './audit-keys.js';
import type { ChainEntry } from './audit-rows.js';
import { GENESIS, entryHash, isSealed, type Seal } from './chain.js';
import { searchColumns } from './read-entry.js';

/** Something that nobody but a forger or a fault can have done. */
export interface AuditFinding {
  kind:
    | 'changed'
    | 'missing'
    | 'inserted'
    | 'broken_link'
    | 'unattested'
    | 'bad_seal'
    | 'missing_seal'
    | 'seal_mismatch'
    | 'unsealed'
    | 'unknown_key'
    | 'truncated'
    | 'backlog'
    | 'malformed';
  /** Place in the chain; null where it is about none. */
  seq: number | null;
  detail: string;
}

/** Where a check begins: behind the entry `seq`, whose hash was `hash`. */
export interface ChainStart {
  seq: number;
  hash: string;
}

export const CHAIN_BEGIN: ChainStart = { seq: 0, hash: GENESIS };

/**
 * Checks a chain entry by entry, in bounded memory (PROTOCOL §11, audit): give it the entries in
 * their order, each seal after the entry that it names, then `end`. Of a `selection` (an export with
 * filters) only what is there can be checked, not that everything is.
 */
export class ChainCheck {
  entries = 0;
  readonly unknownKids = new Set<string>();
  private last: ChainStart;
  /** First entry that the next seal covers; null until a seal was seen in the middle of a chain. */
  private sealedTo: number | null;
  private vouchedTo = 0;

  constructor(
    private readonly keys: KeyLookup,
    private readonly report: (finding: AuditFinding) => void,
    private readonly start: ChainStart = CHAIN_BEGIN,
    private readonly selection = false,
  ) {
    this.last = start;
    this.sealedTo = start.seq === 0 ? 0 : null;
  }

  /** The last entry seen. */
  get head(): ChainStart {
    return this.last;
  }

  /** A prefix was removed: the check begins where its signed end says. */
  checkpoint(seal: Seal): void {
    if (this.verifySeal(seal)) this.vouchedTo = seal.seq;
    this.sealedTo = seal.seq;
  }

  entry(entry: ChainEntry): void {
    this.entries += 1;
    const { seq, hash, prevHash } = entry;
    if (seq <= this.last.seq) {
      this.add('inserted', seq, `stands behind entry ${this.last.seq}`);
      return;
    }
    const follows = seq === this.last.seq + 1;
    if (!follows && !this.selection) {
      this.add('missing', this.last.seq + 1, `no entries ${this.last.seq + 1} to ${seq - 1}`);
    }
    if (entryHash(entry) !== hash) this.add('changed', seq, 'does not match its hash');
    else if (!sameColumns(entry)) this.add('changed', seq, 'its columns differ from its content');
    if (follows && prevHash !== this.last.hash) {
      this.add('broken_link', seq, `does not follow entry ${this.last.seq}`);
    }
    if (!entry.attested) this.add('unattested', seq, 'was not written by a server of this issuer');
    this.last = { seq, hash };
  }

  seal(seal: Seal): void {
    const { seq, hash, firstSeq } = seal;
    const vouched = this.verifySeal(seal);
    if (this.sealedTo !== null && firstSeq !== this.sealedTo + 1) {
      this.add('missing_seal', this.sealedTo + 1, `the next seal begins with entry ${firstSeq}`);
    }
    this.sealedTo = seq;
    if (seq > this.last.seq) {
      this.add(
        'truncated',
        this.last.seq + 1,
        `there is a seal of entry ${seq}, and no such entry`,
      );
    } else if (seq === this.last.seq && hash !== this.last.hash) {
      this.add('seal_mismatch', seq, 'is not the entry that was sealed');
    } else if (vouched) {
      this.vouchedTo = seq;
    }
  }

  end(): void {
    if (this.selection) return;
    const { seq } = this.last;
    const sealedTo = this.sealedTo ?? this.start.seq;
    if (seq > sealedTo) this.add('unsealed', sealedTo + 1, `entries to ${seq} have no seal`);
    const kids = [...this.unknownKids].join(', ');
    if (kids !== '' && this.vouchedTo < sealedTo) {
      this.add(
        'unknown_key',
        this.vouchedTo + 1,
        `sealed by keys that are not known here: ${kids}`,
      );
    }
  }

  private verifySeal(seal: Seal): boolean {
    const key = this.keys(seal.kid);
    if (!key) {
      this.unknownKids.add(seal.kid);
      return false;
    }
    if (isSealed(seal, key)) return true;
    this.add('bad_seal', seal.seq, 'its signature is not that of the key it names');
    return false;
  }

  private add(kind: AuditFinding['kind'], seq: number, detail: string): void {
    this.report({ kind, seq, detail });
  }
}

/** Columns are for searching; somebody who changes them hides an entry. */
function sameColumns({ columns, content, attested }: ChainEntry): boolean {
  const expected = attested ? searchColumns(content) : null;
  if (!expected) return columns.kind === 'unreadable';
  return (
    columns.id === expected.id &&
    columns.at.getTime() === expected.at.getTime() &&
    columns.kind === expected.kind &&
    columns.actor === expected.actor &&
    columns.subject === expected.subject &&
    columns.runId === expected.runId
  );
}
