import { Inject, Injectable } from '@nestjs/common';
import { APP_CONFIG, type AppConfig } from '../../config/app-config.js';
import { TokenCounter } from '../context/token-counter.js';
import { CHAT_MODEL, FALLBACK_MODEL, type ChatModel, type ChatRequest } from './chat-model.js';
import { MODEL_OBSERVER, type ModelObserver } from './model-observer.js';
import { RunModel } from './run-model.js';
import { TokenMeter, type CountedTokens } from './token-meter.js';

/** Gives each run its model. */
@Injectable()
export class RunModels {
  constructor(
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    @Inject(CHAT_MODEL) private readonly model: ChatModel,
    @Inject(FALLBACK_MODEL) private readonly fallback: ChatModel | null,
    @Inject(MODEL_OBSERVER) private readonly observer: ModelObserver,
    private readonly tokens: TokenCounter,
  ) {}

  /**
   * @param before what the run's models took before this process went on with it, and which of them
   *   had taken over; null for none.
   */
  of(
    run: { runId: string; threadId: string },
    before: { counted: CountedTokens; model: string | null },
  ): RunModel {
    const { config, fallback, observer } = this;
    return new RunModel(
      {
        models: fallback ? [this.model, fallback] : [this.model],
        retry: {
          maxAttempts: config.MODEL_MAX_ATTEMPTS,
          baseMs: config.MODEL_RETRY_BASE_MS,
          maxMs: config.MODEL_RETRY_MAX_MS,
        },
        observer,
        meter: new TokenMeter(before.counted),
        estimate: (request, said) => this.estimate(request, said),
        random: Math.random,
      },
      run,
      before.model,
    );
  }

  /** Nobody reads the estimate where there is no budget. */
  private async estimate({ messages, tools }: ChatRequest, said: string): Promise<number> {
    if (this.config.RUN_MAX_TOKENS === 0) return 0;
    const texts = [said, JSON.stringify(tools), ...messages.map(({ content }) => content)];
    const counts = await Promise.all(texts.map((text) => this.tokens.count(text)));
    return counts.reduce((sum, count) => sum + count, 0);
  }
}
