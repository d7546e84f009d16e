import type { FactSource } from './rules/fact.js';

/** Who remembers: the person, over REST, or an agent for them, in a run. */
export interface MemoryCaller {
  userId: string;
  runId: string | null;
  /** Where facts come from that do not say so. */
  source: FactSource;
}

/** An agent's call; what it does not attribute to the person is its own conclusion. */
export function agentCaller(context: { userId: string; runId: string | null }): MemoryCaller {
  return { userId: context.userId, runId: context.runId, source: 'agent_inferred' };
}

/** The person themselves. */
export function personCaller({ userId }: { userId: string }): MemoryCaller {
  return { userId, runId: null, source: 'user_said' };
}
