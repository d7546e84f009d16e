import { canonicalJson } from '../../common/canonical-json.js';
import type { JsonValue } from '../../common/json.js';

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
    const value: JsonValue = JSON.parse(args);
    return canonicalJson(value);
  } catch {
    return args.trim();
  }
}
