import type { ToolAgentOutput } from '../../tool-output/tool-agent-output.js';
import { projectResult } from '../../tool-output/projection.js';
import { StewardError } from '../../common/steward-error.js';
import type { Locale } from '../../common/locale.js';
import type {
  ChatMessage,
  ContentPart,
  ModelToolCall,
  ToolDefinition,
} from '../models/chat-model.js';
import { text } from '../texts.js';
import { fitContext, type Fit, type SizedGroup } from './context-fit.js';
import { groupMessages, sizeGroup, type ContextGroup, type Count } from './context-group.js';
import { shortResult } from './short-result.js';
import { mostTokens, type TokenCounter } from './token-counter.js';

/** Tokens that are kept free for a model's answer. */
export const ANSWER_TOKENS = 2_000;

/** What a run's row says of a context that was not shown whole. */
export interface UsedContext {
  /** Tokens of the messages, without the system message. */
  tokens: number;
  /** Tokens that they might have taken. */
  budget: number;
  /** Ids of the calls of whose results only a summary was shown. */
  shortened: string[];
  /** Messages of the thread that were not shown. */
  leftOut: number;
  /** The model refused the context as too long, and got half of it. */
  halved: boolean;
}

export interface WindowOptions {
  system: string;
  tools: ToolDefinition[];
  groups: ContextGroup[];
  /** Messages of the thread before those of `groups`. */
  older: number;
  /** Tokens of system message, tools, messages and answer together. */
  maxTokens: number;
  locale: Locale;
  /** The pictures in the projections of one turn's results, as parts; never rejects. */
  images: (projections: readonly string[]) => Promise<ContentPart[]>;
  /** Notes what is shown, before the model sees it. */
  note: (used: UsedContext) => Promise<void>;
}

/**
 * What a run's model is shown of its thread: history and what the run adds, fitted into the budget
 * before every turn. Decides from the messages alone, so a run that begins anew sees what a run that
 * never stopped sees.
 */
export class ContextWindow {
  private readonly groups: ContextGroup[];
  private noted = '';
  /** Set once the model has refused a context. */
  private halvedBudget: number | null = null;
  private readonly sizes = new WeakMap<ContextGroup, SizedGroup>();

  constructor(
    private readonly options: WindowOptions,
    private readonly counter: Pick<TokenCounter, 'count'>,
  ) {
    this.groups = [...options.groups];
  }

  /** Adds a turn of the model: what it said, and its calls with their records and pictures. */
  async add(
    turn: { content: string; toolCalls: ModelToolCall[]; reasoning?: string },
    records: ToolAgentOutput[],
  ): Promise<void> {
    const results = records.map((record) => projectResult(record));
    const images = await this.options.images(results);
    this.groups.push({
      message: { role: 'assistant', ...turn },
      ...(images.length > 0 && { images }),
      results: records.map((record, place) => ({
        toolCallId: record.tool_call_id,
        content: results[place] ?? '',
        short: shortResult({ ...record.tool_call_args, ...record }),
      })),
    });
  }

  /**
   * The messages of the next turn, the system message first.
   * @throws StewardError LIMIT_EXCEEDED when the newest user message alone does not fit.
   */
  async messages(): Promise<ChatMessage[]> {
    const system: ChatMessage = { role: 'system', content: this.options.system };
    const { fit, budget } = await this.fit();
    const shortened = new Map(fit.shown.map((place) => [place, new Set<number>()]));
    for (const [place, result] of fit.shortened) shortened.get(place)?.add(result);
    await this.noteUse(fit, budget);
    return [
      system,
      ...this.groups.flatMap((group, place) => {
        const short = shortened.get(place);
        return short ? groupMessages(group, short) : [];
      }),
    ];
  }

  /**
   * Goes on with half of what was shown last, after the model refused it as too long.
   * @returns false when that was done before.
   */
  async halve(): Promise<boolean> {
    if (this.halvedBudget !== null) return false;
    const { fit, budget } = await this.exactFit();
    this.halvedBudget = Math.floor((fit?.tokens ?? budget) / 2);
    return true;
  }

  private async fit(): Promise<{ fit: Fit; budget: number }> {
    // Most conversations are short: bytes are counted in no time and are never fewer than tokens.
    const rough = await this.fitBy(mostTokens, (group) => sizeGroup(group, mostTokens));
    if (this.halvedBudget === null && rough.fit && isWhole(rough.fit, this.groups)) {
      return { ...rough, fit: rough.fit };
    }
    const { fit, budget } = await this.exactFit();
    if (fit === null) {
      const key = this.halvedBudget === null ? 'messageTooLong' : 'contextTooLong';
      throw new StewardError('LIMIT_EXCEEDED', text(key, this.options.locale));
    }
    return { fit, budget };
  }

  private exactFit(): Promise<{ fit: Fit | null; budget: number }> {
    const count: Count = (content) => this.counter.count(content);
    return this.fitBy(count, async (group) => {
      const known = this.sizes.get(group) ?? (await sizeGroup(group, count));
      this.sizes.set(group, known);
      return known;
    });
  }

  private async fitBy(
    count: Count,
    size: (group: ContextGroup) => Promise<SizedGroup>,
  ): Promise<{ fit: Fit | null; budget: number }> {
    const { system, tools, maxTokens } = this.options;
    const taken = (await count(system)) + (await count(JSON.stringify(tools))) + ANSWER_TOKENS;
    const budget = Math.max(0, this.halvedBudget ?? maxTokens - taken);
    const sizes: SizedGroup[] = [];
    for (const group of this.groups) sizes.push(await size(group));
    return { fit: fitContext(sizes, budget), budget };
  }

  private async noteUse(fit: Fit, budget: number): Promise<void> {
    const shown = new Set(fit.shown);
    const leftOut = this.groups
      .filter((_group, place) => !shown.has(place))
      .reduce((count, group) => count + 1 + group.results.length, this.options.older);
    const halved = this.halvedBudget !== null;
    if (leftOut === 0 && fit.shortened.length === 0 && !halved) return;
    const shortened = fit.shortened.flatMap(
      ([place, result]) => this.groups[place]?.results[result]?.toolCallId ?? [],
    );
    const used = { tokens: fit.tokens, budget, shortened, leftOut, halved };
    const said = JSON.stringify(used);
    if (said === this.noted) return;
    await this.options.note(used);
    this.noted = said;
  }
}

function isWhole(fit: Fit, groups: readonly ContextGroup[]): boolean {
  return fit.shown.length === groups.length && fit.shortened.length === 0;
}
