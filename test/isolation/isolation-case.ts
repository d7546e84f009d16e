import type { ErrorCode } from '../../src/common/error-codes.js';
import type { Belongings } from './belongings.js';

/**
 * What an attempt must come to. `own`: it succeeds, and shows something of the caller. `nothing`:
 * it succeeds, and shows nothing of anybody. In no case does it show anything of the other person.
 */
export type Expected = ErrorCode | 'own' | 'nothing';

export interface MethodCase {
  name: string;
  input: (first: Belongings, caller: Belongings) => object;
  expected: Expected;
  /** The same call by the first person shows their things: the attempt was not refused for its form. */
  control?: true;
}

/** A request with everything but the bearer token of who makes it. */
export interface Attempt {
  path: string;
  body?: unknown;
  headers?: Record<string, string>;
}

export interface RouteCase {
  name: string;
  attempt: (first: Belongings, caller: Belongings) => Attempt;
  expected: Expected;
  /** The same request by the first person shows their things. */
  control?: true;
  /** The answer may repeat what the caller sent in any request before, not only in this one. */
  recalls?: true;
}

/** Cases of one part of the product: by method id, and by route without `/api/v1`. */
export interface IsolationCases {
  methods: Record<string, MethodCase[]>;
  routes: Record<string, RouteCase[]>;
}

/** For a case that the first person repeats. */
export const read = { control: true } as const;

export function to(path: string, body?: unknown, headers?: Record<string, string>): Attempt {
  return {
    path: `/api/v1${path}`,
    ...(body === undefined ? {} : { body }),
    ...(headers ? { headers } : {}),
  };
}

/** The one case of a route that names a thing of the first person. */
export function refused(
  attempt: RouteCase['attempt'],
  { control, expected = 'NOT_FOUND' }: { control?: true; expected?: Expected } = {},
): RouteCase[] {
  return [{ name: 'a thing of the first person', attempt, expected, ...(control && { control }) }];
}

/** A secret that is almost the right one. */
export function otherwise(secret: string): string {
  return secret.slice(0, -1) + (secret.endsWith('A') ? 'B' : 'A');
}
