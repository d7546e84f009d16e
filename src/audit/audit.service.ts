import { Injectable } from '@nestjs/common';
import { AuditLogRepository, type AuditFilter } from './audit-log.repository.js';
import { AuditSealer } from './audit-sealer.js';
import { AuditTrail } from './audit-trail.js';
import type { AuditPageQuery, AuditPageView } from './dto/audit.dto.js';
import { exportLines, planExport, type ExportRequest } from './export-lines.js';
import { readContent } from './read-entry.js';

/** Reading the audit. What was recorded is sealed first, so that readers see what has happened. */
@Injectable()
export class AuditService {
  constructor(
    private readonly log: AuditLogRepository,
    private readonly sealer: AuditSealer,
    private readonly trail: AuditTrail,
  ) {}

  /** One page, newest first. */
  async page({ limit, cursor, ...filter }: AuditPageQuery): Promise<AuditPageView> {
    await this.sealer.seal();
    const before = cursor === undefined ? Number.MAX_SAFE_INTEGER : Number(cursor);
    const bounds = { after: 0, before, order: 'DESC' } as const;
    const found = await this.log.search(filterOf(filter), bounds, limit + 1);
    const items = found.slice(0, limit);
    const last = items.at(-1);
    return {
      items: items.map(({ seq, hash, prevHash, attested, content, columns }) => ({
        seq,
        hash,
        prevHash,
        attested,
        id: columns.id,
        at: columns.at.toISOString(),
        kind: columns.kind,
        entry: attested ? readContent(content) : null,
      })),
      nextCursor: found.length > limit && last ? String(last.seq) : null,
    };
  }

  /**
   * The lines of an export, which is recorded as well.
   * @throws StewardError INVALID_ACTION_INPUT before the first line.
   */
  async export(request: ExportRequest, actor: string): Promise<AsyncGenerator<string>> {
    const filter = filterOf(request.filter);
    await this.sealer.seal();
    const plan = await planExport(this.log, { ...request, filter });
    await this.trail.record({
      kind: 'data_exported',
      actor,
      subject: 'audit',
      outcome: 'success',
      details: { after: plan.start.seq, through: plan.end, filter: { ...filter } },
    });
    return exportLines(this.log, plan);
  }
}

/** The filter alone, in the order in which an export names it. */
function filterOf({ kind, actor, subject, runId, from, to }: AuditFilter): AuditFilter {
  return { kind, actor, subject, runId, from, to };
}
