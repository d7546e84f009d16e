import type { INestApplication } from '@nestjs/common';
import { AuditKeys } from '../../src/audit/audit-keys.js';
import { AuditLogRepository } from '../../src/audit/audit-log.repository.js';
import { verifyAudit, type AuditReport } from '../../src/audit/audit-verifier.js';
import type { AuditFinding, ChainStart } from '../../src/audit/chain-check.js';
import { verifyExport } from '../../src/audit/verify-export.js';
import { UnitOfWork } from '../../src/database/unit-of-work.js';

/** What `audit verify` says of the database of an application. */
export async function verifyTrail(
  app: INestApplication,
  options: { now?: Date; expect?: ChainStart } = {},
): Promise<AuditReport & { found: AuditFinding[] }> {
  const get = { strict: false };
  const found: AuditFinding[] = [];
  const report = await app.get(UnitOfWork, get).run(() =>
    verifyAudit(app.get(AuditLogRepository, get), {
      now: new Date(),
      ...options,
      keys: app.get(AuditKeys, get).publicKey,
      maxWaitMs: 0,
      report: (finding) => found.push(finding),
    }),
  );
  return { ...report, found };
}

/** What `audit verify --file` finds in the lines of an export. */
export async function verifyLines(app: INestApplication, lines: string[]): Promise<AuditFinding[]> {
  const found: AuditFinding[] = [];
  async function* all() {
    yield* lines;
  }
  const keys = app.get(AuditKeys, { strict: false }).publicKey;
  await verifyExport(all(), keys, (finding) => found.push(finding));
  return found;
}
