/**
 * The sum of two counts; the largest that JSON readers keep exactly where it would be more. An endpoint may
 * report whatever it likes, and a sum that is no integer any more is refused by those who read usage.
 */
export function addCounts(one: number, other: number): number {
  return Math.min(one + other, Number.MAX_SAFE_INTEGER);
}
