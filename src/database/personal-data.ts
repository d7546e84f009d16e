import type { JsonObject } from '../common/json.js';

/**
 * Rows of one table that are about a user. Everything in here is a constant of the code: it is put
 * into SQL as it stands.
 */
export interface PersonalTable {
  /** What a line of the export calls a row: `event`, `contact`. */
  kind: string;
  table: string;
  /** Condition on the table's alias `t`; `$1` is the user's id. */
  ofUser: string;
  /** Columns of a unique key and their types, in the order in which rows are read. */
  key: Readonly<Record<string, string>>;
  /** Columns that are not given out: hashes of secrets, and what is made from other columns. */
  omit?: readonly string[];
  /** Columns of bytes, which are given out as base64. */
  bytes?: readonly string[];
  /** What is added to a row from outside the database; keys in it replace the row's. */
  complete?: (row: JsonObject) => Promise<JsonObject>;
}

/**
 * Where every owner of tables says which rows are about a user: for the export of all that the product
 * has of somebody, and for the count of what an erasure takes. A table that is neither here nor among
 * the exceptions that `test/security/data-rights.spec.ts` explains fails that test.
 */
export class PersonalData {
  private readonly known = new Map<string, PersonalTable>();

  /** @throws Error when two owners use one kind: a line must say what it is. */
  register(tables: readonly PersonalTable[]): void {
    for (const table of tables) {
      if (this.known.has(table.kind)) throw new Error(`personal data "${table.kind}" stands twice`);
      this.known.set(table.kind, table);
    }
  }

  /** All of them, in the order of their kinds. */
  tables(): PersonalTable[] {
    return [...this.known.values()].toSorted((a, b) => (a.kind < b.kind ? -1 : 1));
  }
}
