import { appendFile } from 'node:fs/promises';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { runCourse } from './course.js';
import { FORMS, killsOf, timeOf } from './forms.js';
import { prepare } from './prepare.js';
import { lines, table, type Report } from './report.js';

/** Kills and minutes of all forms together; without them it is the short form of CI. */
const { CHAOS_KILLS, CHAOS_MINUTES, CHAOS_SEED, CHAOS_REPORT } = process.env;
const KILLS = CHAOS_KILLS === undefined ? null : Number(CHAOS_KILLS);
const MINUTES = Number(CHAOS_MINUTES ?? 60);
const SEED = CHAOS_SEED === undefined ? Date.now() % 1_000_000 : Number(CHAOS_SEED);
const SHORT_MS = 45_000;
/** What comes after the last kill: runs that come to rest, and the audit. */
const REST_MS = 300_000;

/**
 * Processes are killed with SIGKILL while clients talk, reconnect, cancel and approve; afterwards nothing
 * may be lost, doubled, missing or open. The seed of a course is in its report; two courses of the same
 * seed are alike, not equal: what a machine does in the meantime is not.
 */
describe('chaos', () => {
  const endings: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const end of endings.splice(0).toReversed()) await end();
  });

  const reports: Report[] = [];
  afterAll(() => void process.stdout.write(`chaos, seed ${SEED}:\n${table(reports)}\n`));

  const forms = FORMS.filter((form) => killsOf(form, KILLS) > 0);
  const until = Date.now() + MINUTES * 60_000;
  it.each(forms)(
    '$form',
    async (form) => {
      const { env, disturbances } = await prepare(form, (end) => endings.push(end));
      const figures = await runCourse({
        ...form,
        seed: SEED,
        kills: killsOf(form, KILLS),
        limitMs: KILLS === null ? SHORT_MS : timeOf(form, until - Date.now()),
        env,
        disturbances,
      });
      process.stdout.write(`${lines(figures)}\n`);
      reports.push(figures);
      if (CHAOS_REPORT) await appendFile(CHAOS_REPORT, `${JSON.stringify(figures)}\n`);
      const faults = figures.faults.slice(0, 10);
      expect({ seed: SEED, faults }).toEqual({ seed: SEED, faults: [] });
      expect(figures.kills).toBeGreaterThan(0);
      expect(figures.runs).toBeGreaterThan(0);
    },
    (KILLS === null ? SHORT_MS : MINUTES * 60_000) + REST_MS,
  );

  if (KILLS === null) return;
  // With `-t` it is left out like the other forms.
  it('has made the kills of every form in CHAOS_MINUTES', () => {
    const short = reports.filter(({ kills, killsAsked }) => kills < killsAsked);
    expect(short.map(({ form, kills, killsAsked }) => ({ form, kills, killsAsked }))).toEqual([]);
    expect(reports).toHaveLength(FORMS.length);
  });
});
