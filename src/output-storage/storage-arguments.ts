import { parseArgs } from 'node:util';

/** What `storage` is told on its command line. */
export interface StorageArguments {
  repair: boolean;
  minAgeMs: number;
}

export const STORAGE_USAGE = `Usage: npm run storage -- verify [--repair] [--min-age SECONDS]

Compares the records of tool calls with the object store, and its objects with the rows.
  --repair   moves records that wait, deletes objects that no row names, marks rows whose
             object is missing or damaged as lost
  --min-age  age from which an object without a row counts, in seconds (3600)

Exit status: 0 nothing is wrong, or all of it was repaired; 1 something is; 2 it could not be checked.
`;

const DEFAULT_MIN_AGE_SECONDS = 3600;
/** Null for anything else than `verify` with its options. */
export function readStorageArguments(argv: string[]): StorageArguments | null {
  try {
    const { values, positionals } = parseArgs({
      args: argv,
      allowPositionals: true,
      options: { repair: { type: 'boolean' }, 'min-age': { type: 'string' } },
    });
    const seconds = values['min-age'] ?? String(DEFAULT_MIN_AGE_SECONDS);
    if (positionals.join() !== 'verify' || !/^\d{1,9}$/.test(seconds)) return null;
    return { repair: values.repair ?? false, minAgeMs: Number(seconds) * 1000 };
  } catch {
    return null;
  }
}
