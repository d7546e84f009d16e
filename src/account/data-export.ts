import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../audit/audit-trail.js';
import { Clock } from '../common/clock.js';
import type { JsonObject, JsonValue } from '../common/json.js';
import { PersonalData } from '../database/personal-data.js';
import { PersonalRows } from './personal-rows.js';

/** Version of the lines' form; grows when a reader of the older one would misread a newer one. */
const FORMAT_VERSION = 1;

/** Gives a person everything that the product has of them. */
@Injectable()
export class DataExport {
  constructor(
    private readonly data: PersonalData,
    private readonly rows: PersonalRows,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
  ) {}

  /** Notes in the audit that the export was taken; without that there is none. */
  async record(userId: string): Promise<void> {
    await this.audit.record({
      kind: 'data_exported',
      actor: userId,
      subject: userId,
      outcome: 'success',
      details: { format: FORMAT_VERSION },
    });
  }

  /**
   * Lines of JSON, each `{kind, …}`: first a manifest, last the counts, without which the export is not
   * whole. Members of rows are camelCase. Rows are read as they are consumed, so a slow reader holds no
   * memory; it is no snapshot: what changes meanwhile is there as it was or as it is.
   * @throws StewardError when an object cannot be read: a gap would go unnoticed.
   */
  async *lines(userId: string): AsyncGenerator<string> {
    const tables = this.data.tables();
    const counts: Record<string, number> = {};
    yield line({
      kind: 'manifest',
      format: FORMAT_VERSION,
      userId,
      exportedAt: this.clock.now().toISOString(),
      kinds: tables.map(({ kind }) => kind),
    });
    for (const table of tables) {
      counts[table.kind] = 0;
      for await (const row of this.rows.rows(table, userId)) {
        const whole = table.complete ? await table.complete(row) : row;
        yield line({ ...camelCased(whole), kind: table.kind });
        counts[table.kind] = (counts[table.kind] ?? 0) + 1;
      }
    }
    yield line({ kind: 'counts', counts });
  }
}

function line({ kind, ...members }: JsonObject): string {
  return `${JSON.stringify({ kind, ...members })}\n`;
}

/** A row has its own kind sometimes; that stands as `ownKind`. */
function camelCased(row: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]): [string, JsonValue | undefined] => [
      name === 'kind'
        ? 'ownKind'
        : name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  );
}
