import { createPublicKey, type KeyObject } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { calculateJwkThumbprint } from 'jose';
import { DataSource } from 'typeorm';
import { isJsonObject } from '../common/json.js';
import { dataSourceOptions } from '../database/data-source.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import type { ExportArguments, VerifyArguments } from './audit-arguments.js';
import type { KeyLookup } from './audit-keys.js';
import { AuditLogRepository } from './audit-log.repository.js';
import { verifyAudit } from './audit-verifier.js';
import type { AuditFinding } from './chain-check.js';
import { exportLines, planExport } from './export-lines.js';
import { verifyExport } from './verify-export.js';

/** Gets each line for the terminal, and may say to wait. */
export type Print = (line: string) => void | Promise<void>;

/** `audit verify` on an open database. @returns the exit status. */
export async function verifyDatabase(
  args: VerifyArguments,
  databaseUrl: string,
  issuerKeys: KeyLookup,
  print: Print,
): Promise<number> {
  const keys = await lookup(issuerKeys, args.jwks);
  return withLog(databaseUrl, async (log) => {
    const { maxWaitMs, expect } = args;
    const report = (finding: AuditFinding): void => void print(line(finding, args.json));
    const options = { keys, expect, maxWaitMs, now: new Date(), report };
    const { head, findings, ...rest } = await verifyAudit(log, options);
    const outcome = { ok: findings === 0, findings, head: `${head.seq}:${head.hash}`, ...rest };
    await print(args.json ? JSON.stringify(outcome) : sentence(outcome));
    return findings === 0 ? 0 : 1;
  });
}

/** `audit verify --file`, which needs no database. @returns the exit status. */
export async function verifyFile(
  args: VerifyArguments & { file: string },
  issuerKeys: KeyLookup,
  print: Print,
): Promise<number> {
  const keys = await lookup(issuerKeys, args.jwks);
  const input = args.file === '-' ? createReadStream('', { fd: 0 }) : createReadStream(args.file);
  const lines = createInterface({ input, crlfDelay: Infinity });
  const failed = new Promise<never>((_resolve, reject) =>
    input.once('error', (error) => reject(unreadable('--file', args.file, error))),
  );
  const report = (finding: AuditFinding): void => void print(line(finding, args.json));
  const checked = verifyExport(lines, keys, report);
  const { head, findings, selection, ...rest } = await Promise.race([checked, failed]);
  const outcome = { ok: findings === 0, findings, head: `${head.seq}:${head.hash}`, ...rest };
  await print(args.json ? JSON.stringify({ ...outcome, selection }) : sentence(outcome));
  if (selection && !args.json) {
    await print(
      'The export was made with filters: it proves neither who sealed it nor that nothing is missing.',
    );
  }
  return findings === 0 ? 0 : 1;
}

/** `audit export` on an open database. */
export async function exportDatabase(
  args: ExportArguments,
  databaseUrl: string,
  print: Print,
): Promise<number> {
  return withLog(databaseUrl, async (log) => {
    for await (const text of exportLines(log, await planExport(log, args))) await print(text);
    return 0;
  });
}

/** One snapshot: a server may be sealing. */
async function withLog<T>(url: string, work: (log: AuditLogRepository) => Promise<T>): Promise<T> {
  const dataSource = await new DataSource(dataSourceOptions({ url, poolSize: 1 })).initialize();
  try {
    const uow = new UnitOfWork(dataSource);
    return await uow.run(async () => {
      await uow.manager.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
      const [found] = await uow.manager.query<{ known: boolean }[]>(
        "SELECT to_regclass('audit_entries') IS NOT NULL AS known",
      );
      if (!found?.known) throw new Error('This database has no audit: it is not that of a server.');
      return work(new AuditLogRepository(uow));
    });
  } finally {
    await dataSource.destroy();
  }
}

/** The issuer's keys and those of a JWK set, by their thumbprints and nothing that a file says. */
async function lookup(issuerKeys: KeyLookup, path: string | null): Promise<KeyLookup> {
  if (path === null) return issuerKeys;
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw unreadable('--jwks', path, error);
  });
  const set = parsed(text);
  if (!isJsonObject(set) || !Array.isArray(set.keys)) throw new Error(`${path} is no JWK set.`);
  const found = new Map<string, KeyObject>();
  for (const jwk of set.keys) {
    if (!isJsonObject(jwk) || jwk.kty !== 'OKP' || typeof jwk.x !== 'string') continue;
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: jwk.x }, format: 'jwk' });
    found.set(await calculateJwkThumbprint(key), key);
  }
  return (kid) => issuerKeys(kid) ?? found.get(kid);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function unreadable(option: string, path: string, error: unknown): Error {
  const why = error instanceof Error ? error.message : String(error);
  return new Error(`${option} ${path} cannot be read (${why}).`);
}

/** How somebody comes to a key that is not in the configuration. */
const KEY_HINT = '; give the key set of its server with --jwks, or its DATA_DIR';

function line(finding: AuditFinding, json: boolean): string {
  const { kind, seq } = finding;
  const detail = finding.detail + (kind === 'unknown_key' ? KEY_HINT : '');
  if (json) return JSON.stringify({ kind, seq, detail });
  return seq === null ? `${kind}: ${detail}` : `${kind} ${seq}: ${detail}`;
}

function sentence(outcome: { findings: number; entries: number; head: string; waiting?: number }) {
  const { findings, entries, head, waiting = 0 } = outcome;
  const kept = waiting > 0 ? `, ${waiting} wait for their seal` : '';
  return `${findings} found in ${entries} entries${kept}. Head ${head}`;
}
