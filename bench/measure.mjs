import { performance } from 'node:perf_hooks';

/**
 * How often something is measured: once alone with `--once`, which shows that everything can be
 * measured, and whose figures mean nothing.
 */
export function often(times) {
  return process.argv.includes('--once') ? 1 : times;
}

/** Median milliseconds of one call of `work`, after a warm-up; calls run one after another. */
export async function median(work, { runs, warmup = 3 }) {
  for (let i = 0; i < warmup; i += 1) await work(i);
  const times = [];
  for (let i = 0; i < often(runs); i += 1) {
    const start = performance.now();
    await work(warmup + i);
    times.push(performance.now() - start);
  }
  return middle(times);
}

/** The median of what was measured. */
export function middle(times) {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)];
}

/**
 * One line: two figures of the same run, medians of milliseconds unless `unit` says otherwise, and
 * how many times the second costs the first.
 */
export function report(what, [aName, a], [bName, b], unit = 'ms') {
  const ratio = b / a;
  const round = (figure) => `${figure < 1 ? figure.toFixed(3) : figure.toFixed(1)} ${unit}`;
  console.log(
    `${what}\n  ${aName}: ${round(a)}\n  ${bName}: ${round(b)}  (× ${ratio.toFixed(2)})\n`,
  );
}
