import { Injectable } from '@nestjs/common';
import { isJsonObject, type JsonObject } from '../common/json.js';
import type { PersonalTable } from '../database/personal-data.js';
import { UnitOfWork } from '../database/unit-of-work.js';

/** Rows in memory at a time; a row has at most a few MiB. */
const PAGE = 50;

/** Reads the rows that are about a user, whatever table they are in. */
@Injectable()
export class PersonalRows {
  constructor(private readonly uow: UnitOfWork) {}

  /** The user's rows of a table, in the order of its key, fetched page by page as they are consumed. */
  async *rows(personal: PersonalTable, userId: string): AsyncGenerator<JsonObject> {
    const columns = Object.entries(personal.key);
    const names = columns.map(([name]) => `t.${name}`).join(', ');
    const places = columns.map(([, type], index) => `$${index + 3}::${type}`).join(', ');
    let after: string[] | null = null;
    for (;;) {
      const page: { row: unknown; key: string[] }[] = await this.uow.manager.query(
        `SELECT ${rowOf(personal)} AS row,
           ARRAY[${columns.map(([name]) => `t.${name}::text`).join(', ')}] AS key
         FROM "${personal.table}" t
         WHERE (${personal.ofUser}) ${after ? `AND (${names}) > (${places})` : ''}
         ORDER BY ${names} LIMIT ${PAGE}`,
        [userId, [...(personal.omit ?? [])], ...(after ?? [])],
      );
      for (const { row } of page) if (isJsonObject(row)) yield row;
      after = page.at(-1)?.key ?? null;
      if (page.length < PAGE || !after) return;
    }
  }

  /** How many rows there are, by kind. */
  async count(tables: readonly PersonalTable[], userId: string): Promise<Record<string, number>> {
    const counts = tables.map(
      ({ kind, table, ofUser }) =>
        `SELECT '${kind}' AS kind, count(*)::int AS n FROM "${table}" t WHERE ${ofUser}`,
    );
    if (counts.length === 0) return {};
    const rows = await this.uow.manager.query<{ kind: string; n: number }[]>(
      counts.join(' UNION ALL '),
      [userId],
    );
    return Object.fromEntries(rows.map(({ kind, n }) => [kind, n]));
  }
}

/** A row as JSON without what is not given out; `$2` names that. */
function rowOf({ bytes = [] }: PersonalTable): string {
  const encoded = bytes.map(
    (name) =>
      `|| jsonb_build_object('${name}', translate(encode(t.${name}, 'base64'), E'\\n', ''))`,
  );
  return `to_jsonb(t) - $2::text[] ${encoded.join(' ')}`;
}
