import { createHash } from 'node:crypto';
import { canonicalJson } from '../../common/canonical-json.js';
import type { JsonValue } from '../../common/json.js';

/** The longest round of different calls that is recognised when it is gone through again and again. */
const MAX_ROUND = 4;

/** Whether a call may be made: `repeats` and `exhausted` end the run. */
export type CallVerdict = 'admitted' | 'repeats' | 'exhausted';

/** Where a count of calls stands, for whoever goes on counting. */
export interface CountedCalls {
  made: number;
  /** Hashes of the last ones, as many as a repetition may have. */
  recent: string[];
}

/**
 * Counts a run's calls, and how often the same ones were made (PROTOCOL §12, limits of a run). A run
 * ends with the call that completes a repetition: the same call `maxIdentical` times in a row, or a
 * round of two to four calls (A, B, A, B, …) gone through as often. What the calls gave is not looked
 * at: a model that hopes for another answer to the same question is to ask another question, and
 * waiting is what scheduled tasks are for.
 */
export class CallGuard {
  private readonly recent: string[];
  private made: number;

  /**
   * @param maxIdentical repetitions that end a run.
   * @param maxCalls calls of a run; the next one is too many.
   * @param before what counts besides: calls of the runs that this one goes on from.
   */
  constructor(
    private readonly maxIdentical: number,
    private readonly maxCalls = Number.POSITIVE_INFINITY,
    before: CountedCalls = { made: 0, recent: [] },
  ) {
    this.made = before.made;
    this.recent = [...before.recent];
  }

  get counted(): CountedCalls {
    return { made: this.made, recent: [...this.recent] };
  }

  /** Notes a call and decides on it. */
  admit(name: string, args: string): CallVerdict {
    this.made += 1;
    this.recent.push(signature(name, args));
    if (this.recent.length > MAX_ROUND * this.maxIdentical) this.recent.shift();
    if (this.made > this.maxCalls) return 'exhausted';
    return endsInRounds(this.recent, this.maxIdentical) ? 'repeats' : 'admitted';
  }
}

/** True when `items` ends with a round of one to four of them, gone through `times` times. */
function endsInRounds(items: readonly string[], times: number): boolean {
  for (let round = 1; round <= MAX_ROUND; round += 1) {
    const last = items.slice(-round * times);
    if (last.length < round * times) return false;
    if (last.every((item, place) => item === last[place % round])) return true;
  }
  return false;
}

function signature(name: string, args: string): string {
  return createHash('sha256')
    .update(`${name} ${canonical(args)}`)
    .digest('base64');
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
