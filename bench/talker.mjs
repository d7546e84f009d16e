import { performance } from 'node:perf_hooks';
import { often } from './measure.mjs';
import { newDatabase, newcomer, openReplica, say } from './replicas.mjs';

/** One call, of a reading method, and an answer. */
const SENTENCE = '我今天有什么安排？';
const ROUNDS = 5;

/** Runs that `together` has under way at once. */
export const AT_ONCE = 8;

/**
 * A replica with a database of its own and somebody who talks to it, and what that took, in
 * milliseconds.
 * @param env what the replica has besides.
 * @param change what is done to the application before anybody talks to it.
 */
export async function talker(place, env, change = async () => {}) {
  const { app, url } = await openReplica(await newDatabase(place), env);
  await change(app);
  const headers = await newcomer(url);
  const [firstMs, wholeMs, eachMs] = [[], [], []];
  return {
    firstMs,
    wholeMs,
    eachMs,
    alone: async () => {
      const took = await say(url, headers, SENTENCE);
      firstMs.push(took.firstMs);
      wholeMs.push(took.wholeMs);
    },
    together: async () => {
      const start = performance.now();
      await Promise.all(Array.from({ length: AT_ONCE }, () => say(url, headers, SENTENCE)));
      eachMs.push((performance.now() - start) / AT_ONCE);
    },
    close: () => app.close(),
  };
}

/**
 * Has them talk, one run alone and many at once. They take turns, so that whatever else the machine
 * does is the same for all; then each is closed.
 */
export async function takeTurns(talkers, rounds = ROUNDS) {
  try {
    for (let round = 0; round < often(rounds + 2); round += 1) {
      for (const one of talkers) await one.alone();
    }
    for (let round = 0; round < often(rounds); round += 1) {
      for (const one of talkers) await one.together();
    }
  } finally {
    for (const { close } of talkers) await close();
  }
}
