import { Inject, Injectable } from '@nestjs/common';
import { APP_CONFIG, type AppConfig } from '../config/app-config.js';
import { MessageStore } from '../threads/message.store.js';
import type { NewThreadMessage } from '../threads/thread-message.js';
import { MessageRecords } from '../tool-output/storage/message-records.js';
import { MessageContents } from './attachments/message-contents.js';
import { HISTORY_LIMIT, runContext } from './context/context-rebuild.js';
import { ContextWindow } from './context/context-window.js';
import { TokenCounter } from './context/token-counter.js';
import type { ToolDefinition } from './models/chat-model.js';
import { RunBriefing, type RunCaller } from './run-briefing.js';
import { RunNotesRepository } from './runs/execution/run-notes.repository.js';
import type { Run } from './runs/run.js';

/** Bytes of records that are read for a run's context; it takes less than that of them. */
const CONTEXT_RECORDS_MAX_BYTES = 4 * 1024 * 1024;

/** The user's message that a run answers. */
export interface AnsweredMessage {
  message: NewThreadMessage;
  /** Whether it stood in the thread before and is answered once more, behind everything else. */
  again: boolean;
}

/** What a run's model is told and shown at its beginning, and from there on. */
@Injectable()
export class RunWindow {
  constructor(
    @Inject(APP_CONFIG) private readonly config: Pick<AppConfig, 'CONTEXT_MAX_TOKENS'>,
    private readonly messages: MessageStore,
    private readonly records: MessageRecords,
    private readonly briefing: RunBriefing,
    private readonly contents: MessageContents,
    private readonly tokens: TokenCounter,
    private readonly notes: RunNotesRepository,
  ) {}

  /**
   * Reads the thread as it is now: whatever the run has added so far is in it.
   * @param now the instant that the run calls "now".
   */
  async of(
    run: Run,
    caller: RunCaller,
    { message, again }: AnsweredMessage,
    now: Date,
  ): Promise<{ window: ContextWindow; tools: ToolDefinition[] }> {
    const history = await this.records.legible(
      await this.messages.page(run.threadId, { limit: HISTORY_LIMIT, said: true }),
      CONTEXT_RECORDS_MAX_BYTES,
    );
    const known = history.some(({ id }) => id === message.id) ? history : [message, ...history];
    const { system, tools } = await this.briefing.of(run, caller, message.content, now);
    const parts = await this.contents.of(run.userId, known);
    const window = new ContextWindow(
      {
        system,
        tools,
        groups: runContext(history, message, again, run.id, parts),
        older: await this.messages.countSaid(run.threadId, history.at(-1)?.seq ?? 1),
        maxTokens: this.config.CONTEXT_MAX_TOKENS,
        locale: run.locale,
        images: (projections) => this.contents.ofResults(run.userId, projections),
        note: (used) => this.notes.noteContext(run, used),
      },
      this.tokens,
    );
    return { window, tools };
  }
}
