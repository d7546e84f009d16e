import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { entryContent } from './audit-entry.js';
import type { ChainEntry } from './audit-rows.js';
import { ChainCheck, type AuditFinding } from './chain-check.js';
import { GENESIS, entryHash, signSeal, type Seal } from './chain.js';
import { searchColumns } from './read-entry.js';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const KID = 'the-key';

interface Chain {
  entries: ChainEntry[];
  seals: Seal[];
}

/** A chain of batches of the given sizes. */
function chainOf(sizes: number[]): Chain {
  const entries: ChainEntry[] = [];
  const seals: Seal[] = [];
  for (const size of sizes) {
    const firstSeq = entries.length + 1;
    for (let n = 0; n < size; n += 1) {
      const seq = entries.length + 1;
      const id = `aud_${seq}`;
      const content = entryContent(id, new Date(seq * 1000), {
        kind: 'tool_call',
        actor: 'usr_1',
        subject: `calendar.${seq}`,
        outcome: 'success',
      });
      const link = { seq, prevHash: entries.at(-1)?.hash ?? GENESIS, attested: true, content };
      const columns = searchColumns(content);
      if (!columns) throw new Error('unreadable');
      entries.push({ ...link, hash: entryHash(link), columns });
    }
    const seq = entries.length;
    const hash = entries.at(-1)?.hash ?? '';
    const sealedAt = new Date(0);
    seals.push(signSeal({ kind: 'batch', firstSeq, seq, hash, sealedAt, kid: KID }, privateKey));
  }
  return { entries, seals };
}

function check({ entries, seals }: Chain, kid = KID): AuditFinding[] {
  const findings: AuditFinding[] = [];
  const chain = new ChainCheck(
    (wanted) => (wanted === kid ? publicKey : undefined),
    (finding) => findings.push(finding),
  );
  const rest = [...seals];
  for (const entry of entries) {
    chain.entry(entry);
    while (rest[0] && rest[0].seq <= entry.seq) chain.seal(rest.shift() ?? seals[0]!);
  }
  for (const seal of rest) chain.seal(seal);
  chain.end();
  return findings;
}

const sizes = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 5 });

describe('ChainCheck', () => {
  it('finds nothing in a chain as it was sealed', () => {
    fc.assert(fc.property(sizes, (batches) => check(chainOf(batches)).length === 0));
  });

  /** Whoever can write the database can compute hashes, but not sign. */
  const rechain = (chain: Chain): void => {
    let prevHash = GENESIS;
    chain.entries = chain.entries.map((entry, index) => {
      const link = { ...entry, seq: index + 1, prevHash };
      prevHash = entryHash(link);
      return { ...link, hash: prevHash };
    });
  };

  const TAMPERS: Record<string, (chain: Chain, at: number) => void> = {
    'a changed entry': ({ entries }, at) => {
      const entry = entries[at];
      if (entry) entry.content = entry.content.replace('usr_1', 'usr_2');
    },
    'a changed column': ({ entries }, at) => {
      const entry = entries[at];
      if (entry) entry.columns = { ...entry.columns, actor: 'usr_2' };
    },
    'a missing entry': ({ entries }, at) => void entries.splice(at, 1),
    'an entry put in twice': ({ entries }, at) => {
      const entry = entries[at];
      if (entry) entries.splice(at, 0, { ...entry });
    },
    'another order': ({ entries }, at) => {
      const one = entries[at];
      const other = entries[(at + 1) % entries.length];
      if (!one || !other || one === other) throw new Error('too short');
      [one.content, other.content] = [other.content, one.content];
    },
    'a missing seal': ({ seals }, at) => void seals.splice(at % seals.length, 1),
    'a seal of somebody else': ({ seals }, at) => {
      const seal = seals[at % seals.length];
      const other = generateKeyPairSync('ed25519').privateKey;
      if (seal) Object.assign(seal, signSeal(seal, other));
    },
    'a chain made anew around a change': (chain, at) => {
      const entry = chain.entries[at];
      if (entry) entry.content = entry.content.replace('usr_1', 'usr_2');
      rechain(chain);
    },
    'a chain made anew without an entry': (chain, at) => {
      chain.entries.splice(at, 1);
      rechain(chain);
    },
    'an end that was cut off': ({ entries }) => void entries.pop(),
    'an entry without a seal': (chain) => {
      chain.seals.pop();
    },
    'what no server wrote': ({ entries }, at) => {
      const entry = entries[at];
      if (entry) entry.attested = false;
    },
  };

  it.each(Object.keys(TAMPERS))('finds %s, wherever it is', (name) => {
    fc.assert(
      fc.property(sizes, fc.nat(), (batches, place) => {
        const chain = chainOf([2, ...batches]);
        TAMPERS[name]?.(chain, place % chain.entries.length);
        return check(chain).length > 0;
      }),
    );
  });

  it('says that the newest seal is of a key that it does not know', () => {
    expect(check(chainOf([2, 1]), 'another')).toEqual([
      expect.objectContaining({ kind: 'unknown_key', seq: 1 }),
    ]);
  });

  it('trusts old seals of forgotten keys when a newer one is known', () => {
    const chain = chainOf([2, 1]);
    const [first] = chain.seals;
    if (first) Object.assign(first, signSeal({ ...first, kid: 'forgotten' }, privateKey));
    expect(check(chain)).toEqual([]);
  });
});
