/** Milliseconds since the epoch, [from, to). */
export interface Interval {
  from: number;
  to: number;
}

/** The same times as few intervals, in order, apart from each other; empty ones vanish. */
export function merged(intervals: Interval[]): Interval[] {
  const sorted = intervals.filter(({ from, to }) => from < to).sort((a, b) => a.from - b.from);
  const result: Interval[] = [];
  for (const interval of sorted) {
    const last = result.at(-1);
    if (last && interval.from <= last.to) last.to = Math.max(last.to, interval.to);
    else result.push({ ...interval });
  }
  return result;
}

/** What of `intervals` lies in `window`; they stay merged when they were. */
export function clipped(intervals: Interval[], window: Interval): Interval[] {
  return intervals
    .map(({ from, to }) => ({ from: Math.max(from, window.from), to: Math.min(to, window.to) }))
    .filter(({ from, to }) => from < to);
}

/** What of `intervals` is not in `removed`; both merged, and so is the result. */
export function without(intervals: Interval[], removed: Interval[]): Interval[] {
  const result: Interval[] = [];
  let next = 0;
  for (const { from, to } of intervals) {
    let start = from;
    while ((removed[next]?.to ?? Infinity) <= start) next += 1;
    for (let at = next; start < to; at += 1) {
      const gap = removed[at];
      if (!gap || gap.from >= to) break;
      if (gap.from > start) result.push({ from: start, to: gap.from });
      start = Math.max(start, gap.to);
    }
    if (start < to) result.push({ from: start, to });
  }
  return result;
}

/**
 * The earliest intervals of `length` in `free`, that do not overlap each other and begin on a
 * multiple of `grid`; at most `limit`.
 * @param free merged.
 */
export function slotsIn(free: Interval[], length: number, grid: number, limit: number): Interval[] {
  const slots: Interval[] = [];
  for (const { from, to } of free) {
    let start = Math.ceil(from / grid) * grid;
    while (start + length <= to) {
      if (slots.length >= limit) return slots;
      slots.push({ from: start, to: start + length });
      start = Math.ceil((start + length) / grid) * grid;
    }
  }
  return slots;
}
