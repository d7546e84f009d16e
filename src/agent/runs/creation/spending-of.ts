import { addCounts } from '../../models/token-counts.js';
import { TokenMeter } from '../../models/token-meter.js';
import { NOTHING_SPENT, type RunSpending } from '../run-spending.js';
import type { Run } from '../run.js';

/** What a run that waits has taken, with those that it goes on from. Pure. */
export function spendingOf(
  waiting: Pick<Run, 'turns' | 'usage' | 'unreportedTokens' | 'spentBefore' | 'countedCalls'>,
): RunSpending {
  const { turns, tokens, calls } = waiting.spentBefore ?? NOTHING_SPENT;
  return {
    turns: turns + waiting.turns,
    tokens: addCounts(tokens, new TokenMeter(waiting).spent),
    calls: waiting.countedCalls ?? calls,
  };
}
