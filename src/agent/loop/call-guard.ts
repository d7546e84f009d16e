import { isJsonObject } from '../../common/json.js';

/** Levels of nesting that are put in order; deeper text is compared as it is. */
const MAX_DEPTH = 32;

/** Counts how often the same call was made in a row (PROTOCOL §12, limits of a run). */
export class CallGuard {
  private last = '';
  private count = 0;

  /** @param maxIdentical the length of the row that ends a run. */
  constructor(private readonly maxIdentical: number) {}

  /** Notes a call. @returns false when it completes a row that ends the run. */
  admit(name: string, args: string): boolean {
    const signature = `${name} ${canonical(args)}`;
    this.count = signature === this.last ? this.count + 1 : 1;
    this.last = signature;
    return this.count < this.maxIdentical;
  }
}

/** The same text for arguments that differ in key order or white space only. */
function canonical(args: string): string {
  try {
    return JSON.stringify(sorted(JSON.parse(args), 0));
  } catch {
    return args.trim();
  }
}

function sorted(value: unknown, depth: number): unknown {
  if (depth > MAX_DEPTH) throw new RangeError('too deep to compare');
  if (Array.isArray(value)) return value.map((item) => sorted(item, depth + 1));
  if (!isJsonObject(value)) return value;
  return Object.keys(value)
    .sort()
    .map((key) => [key, sorted(value[key], depth + 1)]);
}
