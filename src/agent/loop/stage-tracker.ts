import type { CustomBody, NewRunEvent, RunNotice, Stage } from '../../events/run-event.js';
import type { AssistantToolCall } from '../../threads/thread-message.js';

type ResultEvent = Extract<NewRunEvent, { type: 'TOOL_CALL_RESULT' }>;
type TerminalEvent = Extract<NewRunEvent, { type: 'RUN_FINISHED' | 'RUN_ERROR' }>;

/** What is open in a run's event stream. */
export interface OpenState {
  stage: Stage | null;
  /** Id of the text message that was started and not ended. */
  textMessageId: string | null;
  /** Id of the reasoning that was started and not ended. */
  reasoningMessageId: string | null;
  /** Ids of announced calls without a result, in order. */
  callIds: string[];
  ended: boolean;
}

/** The state before any stage. */
export const NOTHING_OPEN: OpenState = {
  stage: null,
  textMessageId: null,
  reasoningMessageId: null,
  callIds: [],
  ended: false,
};

/**
 * Keeps the grammar of PROTOCOL §12 by construction: each method gives the events that bring the
 * stream from where it is to what the caller wants to say, and opens or closes stages on the way.
 * Pure; what cannot be said (text while calls are unanswered, a result without its call, anything
 * after the end) throws, because it would be a fault of the runtime.
 */
export class StageTracker {
  private readonly open: OpenState;

  constructor(open: OpenState = NOTHING_OPEN) {
    this.open = { ...open, callIds: [...open.callIds] };
  }

  get textMessageId(): string | null {
    return this.open.textMessageId;
  }

  get reasoningMessageId(): string | null {
    return this.open.reasoningMessageId;
  }

  get openCallIds(): readonly string[] {
    return this.open.callIds;
  }

  /**
   * Opens the first stage: `intent`, in which the model is asked, or `execution` where the run goes on
   * with calls that were announced before it.
   */
  begin(): NewRunEvent[] {
    return this.enter(this.open.callIds.length > 0 ? 'execution' : 'intent');
  }

  /** A piece of the text message, which it starts. Nothing for an empty piece. */
  text(messageId: string, delta: string): NewRunEvent[] {
    this.expect(this.open.callIds.length === 0, 'text while a call has no result');
    this.expect(this.open.reasoningMessageId === null, 'text inside of reasoning');
    if (delta === '') return [];
    const events: NewRunEvent[] = [];
    if (this.open.textMessageId !== messageId) {
      this.expect(this.open.textMessageId === null, 'a second text message while one is open');
      events.push(...this.enter('report'), { type: 'TEXT_MESSAGE_START', messageId });
      this.open.textMessageId = messageId;
    }
    events.push({ type: 'TEXT_MESSAGE_CONTENT', messageId, delta });
    return events;
  }

  /** Ends the text message where one is open. @param interrupted it was broken off. */
  endText(interrupted = false): NewRunEvent[] {
    const messageId = this.open.textMessageId;
    if (messageId === null) return [];
    this.open.textMessageId = null;
    return [{ type: 'TEXT_MESSAGE_END', messageId, ...(interrupted && { interrupted }) }];
  }

  /** A piece of reasoning, which it starts, in whatever stage the run is. Nothing for an empty piece. */
  reasoning(messageId: string, delta: string): NewRunEvent[] {
    if (delta === '') return [];
    this.expect(this.open.callIds.length === 0, 'reasoning while a call has no result');
    this.expect(this.open.textMessageId === null, 'reasoning inside of a text');
    const events: NewRunEvent[] = [];
    if (this.open.reasoningMessageId !== messageId) {
      this.expect(this.open.reasoningMessageId === null, 'a second reasoning while one is open');
      events.push(
        ...(this.open.stage === null ? this.enter('intent') : []),
        { type: 'REASONING_START', messageId },
        { type: 'REASONING_MESSAGE_START', messageId },
      );
      this.open.reasoningMessageId = messageId;
    }
    events.push({ type: 'REASONING_MESSAGE_CONTENT', messageId, delta });
    return events;
  }

  /** Ends the reasoning where one is open. */
  endReasoning(): NewRunEvent[] {
    const messageId = this.open.reasoningMessageId;
    if (messageId === null) return [];
    this.open.reasoningMessageId = null;
    return [
      { type: 'REASONING_MESSAGE_END', messageId },
      { type: 'REASONING_END', messageId },
    ];
  }

  /** A notice, which may come anywhere before the end. */
  notice(notice: RunNotice): NewRunEvent[] {
    this.expect(true, notice.type);
    return [{ type: 'CUSTOM', ...customOf(notice) }];
  }

  /** Announces all calls of a turn, which belong to the assistant message `parentMessageId`. */
  announce(parentMessageId: string, calls: AssistantToolCall[]): NewRunEvent[] {
    this.expect(this.open.callIds.length === 0, 'calls while earlier ones have no result');
    this.expect(this.open.reasoningMessageId === null, 'calls inside of reasoning');
    if (calls.length === 0) return [];
    const events = [...this.endText(), ...this.enter('execution')];
    for (const { id: toolCallId, name: toolCallName, arguments: delta, client } of calls) {
      const own = client && { client };
      events.push({ type: 'TOOL_CALL_START', toolCallId, toolCallName, parentMessageId, ...own });
      if (delta !== '') events.push({ type: 'TOOL_CALL_ARGS', toolCallId, delta });
      events.push({ type: 'TOOL_CALL_END', toolCallId });
      this.open.callIds.push(toolCallId);
    }
    return events;
  }

  /** The result of a call that has none; those before it that a client carries out may come later. */
  result(event: Omit<ResultEvent, 'type'>): NewRunEvent[] {
    const place = this.open.callIds.indexOf(event.toolCallId);
    this.expect(place !== -1, 'a result without its call');
    this.open.callIds.splice(place, 1);
    return [...this.enter('execution'), { type: 'TOOL_CALL_RESULT', ...event }];
  }

  /** Closes reasoning, text and stage and ends the run. Only a run that waits may leave calls without results. */
  end(terminal: TerminalEvent): NewRunEvent[] {
    const waits =
      terminal.type === 'RUN_FINISHED' &&
      (terminal.outcome === 'interrupt' || terminal.outcome === 'pending');
    this.expect(waits || this.open.callIds.length === 0, 'an end while a call has no result');
    const events = [...this.endReasoning(), ...this.endText(), ...this.leave(), terminal];
    this.open.ended = true;
    return events;
  }

  private enter(stage: Stage): NewRunEvent[] {
    this.expect(!this.open.ended, 'an event after the end');
    if (this.open.stage === stage) return [];
    const events = this.leave();
    this.open.stage = stage;
    events.push({ type: 'STEP_STARTED', stepName: stage });
    return events;
  }

  private leave(): NewRunEvent[] {
    const { stage } = this.open;
    if (stage === null) return [];
    this.open.stage = null;
    return [{ type: 'STEP_FINISHED', stepName: stage }];
  }

  private expect(condition: boolean, what: string): void {
    if (!condition || this.open.ended) {
      throw new Error(`run events out of grammar: ${condition ? 'an event after the end' : what}`);
    }
  }
}

function customOf(notice: RunNotice): CustomBody {
  switch (notice.type) {
    case 'model_retry': {
      const { type: _type, ...value } = notice;
      return { name: 'steward.model_retry', value };
    }
    case 'model_fallback': {
      const { type: _type, ...value } = notice;
      return { name: 'steward.model_fallback', value };
    }
  }
}
