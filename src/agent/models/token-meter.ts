import { addCounts } from './token-counts.js';
import type { ModelTokenUsage, TokenCounts, TokenUsage } from '../../events/run-event.js';

/** What the models of a run took so far. */
export interface CountedTokens {
  /** As they reported it; null when none ever did. */
  usage: TokenUsage | null;
  /** About, of turns whose model did not report. */
  unreportedTokens: number;
}

const NOTHING_COUNTED: CountedTokens = { usage: null, unreportedTokens: 0 };

/** Adds up what the models of a run took. */
export class TokenMeter {
  private readonly models: ModelTokenUsage[];
  private total: TokenCounts | null;
  private estimated: number;

  /** @param before what the run took before this process went on with it. */
  constructor({ usage: before, unreportedTokens }: CountedTokens = NOTHING_COUNTED) {
    this.estimated = unreportedTokens;
    this.models = (before?.models ?? []).map((usage) => ({ ...usage }));
    this.total = before && countsOf(before);
  }

  /** As the models reported it; null when none ever did. */
  get usage(): TokenUsage | null {
    return this.total && { ...this.total, models: this.models.map((usage) => ({ ...usage })) };
  }

  /** All of it, for whoever goes on counting. */
  get counted(): CountedTokens {
    return { usage: this.usage, unreportedTokens: this.estimated };
  }

  /** Tokens read and written, with estimates for turns whose model did not report. */
  get spent(): number {
    const { inputTokens, outputTokens } = this.total ?? { inputTokens: 0, outputTokens: 0 };
    return addCounts(addCounts(inputTokens, outputTokens), this.estimated);
  }

  /** Adds a turn as its model reported it. */
  add(model: { provider: string; name: string }, counts: TokenCounts): void {
    this.total = sum(this.total, counts);
    const place = this.models.findIndex(
      (usage) => usage.provider === model.provider && usage.model === model.name,
    );
    const known = this.models[place] ?? null;
    const usage = { provider: model.provider, model: model.name, ...sum(known, counts) };
    if (known) this.models[place] = usage;
    else this.models.push(usage);
  }

  /** Adds a turn whose model did not report; it counts for the budget and is shown to nobody. */
  addEstimate(tokens: number): void {
    this.estimated = addCounts(this.estimated, tokens);
  }
}

function countsOf({ inputTokens, outputTokens, cachedInputTokens, reasoningTokens }: TokenCounts) {
  return {
    inputTokens,
    outputTokens,
    ...(cachedInputTokens !== undefined && { cachedInputTokens }),
    ...(reasoningTokens !== undefined && { reasoningTokens }),
  };
}

/** What nobody reported stays absent, which is not zero. */
function sum(one: TokenCounts | null, other: TokenCounts): TokenCounts {
  if (!one) return countsOf(other);
  const maybe = (a: number | undefined, b: number | undefined) =>
    a === undefined && b === undefined ? undefined : addCounts(a ?? 0, b ?? 0);
  const cachedInputTokens = maybe(one.cachedInputTokens, other.cachedInputTokens);
  const reasoningTokens = maybe(one.reasoningTokens, other.reasoningTokens);
  return {
    inputTokens: addCounts(one.inputTokens, other.inputTokens),
    outputTokens: addCounts(one.outputTokens, other.outputTokens),
    ...(cachedInputTokens !== undefined && { cachedInputTokens }),
    ...(reasoningTokens !== undefined && { reasoningTokens }),
  };
}
