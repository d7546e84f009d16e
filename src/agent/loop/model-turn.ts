import { newId } from '../../common/ids.js';
import type { Locale } from '../../common/locale.js';
import { StewardError } from '../../common/steward-error.js';
import { redactText } from '../../tool-output/credential-scan.js';
import type { RunNotice } from '../../events/run-event.js';
import { keptArguments } from '../../tool-router/kept-arguments.js';
import { MAX_TURN_CALLS, type FinishReason, type ModelToolCall } from '../models/chat-model.js';
import { ContextTooLongError } from '../models/model-errors.js';
import type { TurnChunk } from '../models/run-model.js';
import { text as say, type TextKey } from '../texts.js';
import { untilAborted } from '../../common/abortable.js';
import { RepetitionGuard } from './repetition-guard.js';
import { toStorable } from './safe-text.js';
import type { TurnCall } from './turn-calls.js';

/** Characters of text, or of reasoning, in one turn; a model past them is broken. */
const MAX_TEXT_CHARACTERS = 200_000;

export interface ModelTurn {
  text: string;
  calls: TurnCall[];
  finish: FinishReason;
  /** What led to it, where the model tells that apart; empty where it does not. */
  reasoning: string;
}

/** Gets the pieces of a turn as they arrive. */
export interface TurnListener {
  onText: (delta: string) => Promise<void>;
  onReasoning: (delta: string) => Promise<void>;
  /** The pieces so far do not count: the turn is made anew. */
  onRestart: (notice: RunNotice) => Promise<void>;
}

/**
 * Takes one turn from a model, which may begin it anew.
 * @param listener gets each piece of text and reasoning as it arrives.
 * @throws the signal's reason when it aborts; StewardError when the model gives no whole turn.
 */
export async function takeTurn(
  chunks: AsyncIterable<TurnChunk>,
  listener: TurnListener,
  signal: AbortSignal,
  locale: Locale,
): Promise<ModelTurn> {
  let calls: TurnCall[] = [];
  let text = new Bounded(locale);
  let reasoning = new Bounded(locale);
  let spoken = false;
  const iterator = untilAborted(chunks, signal)[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await iterator.next().catch((error: unknown) => {
        throw signal.aborted ? error : toModelError(error, spoken, locale);
      });
      if (next.done) throw fault('DEPENDENCY_UNAVAILABLE', 'brokenStream', locale);
      const chunk = next.value;
      if (chunk.type === 'finish') {
        return {
          text: text.said,
          calls,
          finish: chunk.reason,
          reasoning: redactText(reasoning.said),
        };
      }
      if (chunk.type === 'text') {
        text.add(chunk.delta);
        spoken ||= chunk.delta !== '';
        await listener.onText(chunk.delta);
      } else if (chunk.type === 'reasoning') {
        reasoning.add(chunk.delta);
        await listener.onReasoning(chunk.delta);
      } else if (chunk.type === 'restart') {
        calls = [];
        text = new Bounded(locale);
        reasoning = new Bounded(locale);
        await listener.onRestart(chunk.notice);
      } else {
        calls.push(toCall(chunk.call));
        if (calls.length > MAX_TURN_CALLS) throw fault('LIMIT_EXCEEDED', 'answerTooLong', locale);
      }
    }
  } finally {
    await iterator.return();
  }
}

/** What a model says in a turn, as long as it may be and as long as it goes anywhere. */
class Bounded {
  said = '';
  private readonly repetition = new RepetitionGuard();

  constructor(private readonly locale: Locale) {}

  /** @throws StewardError LIMIT_EXCEEDED when it is too long, or says the same for ever. */
  add(delta: string): void {
    this.said += delta;
    if (this.said.length > MAX_TEXT_CHARACTERS) {
      throw fault('LIMIT_EXCEEDED', 'answerTooLong', this.locale);
    }
    if (!this.repetition.admit(delta)) {
      throw fault('LIMIT_EXCEEDED', 'repeatingText', this.locale);
    }
  }
}

/**
 * Ids are ours: endpoints repeat theirs (`call_0` in every turn) or leave them out, and clients
 * pair calls and results by id over the whole thread.
 */
function toCall({ name, arguments: args }: ModelToolCall): TurnCall {
  return {
    raw: { name, arguments: args },
    shown: {
      id: newId('call'),
      name:
        redactText(name)
          .replace(/[^\w-]/g, '_')
          .slice(0, 64) || 'unnamed',
      arguments: keptArguments(toStorable(redactText(args))),
    },
  };
}

function fault(code: 'DEPENDENCY_UNAVAILABLE' | 'LIMIT_EXCEEDED', key: TextKey, locale: Locale) {
  return new StewardError(code, say(key, locale));
}

/** The endpoint that refuses, or stops in its answer, does answer. */
function unavailable(error: StewardError, said: boolean): TextKey | undefined {
  if (error.code !== 'DEPENDENCY_UNAVAILABLE') return undefined;
  if (said) return 'brokenStream';
  return error.retryable ? 'modelUnavailable' : 'modelRefused';
}

/** A model's own failure in the person's words; its details stay in the cause, for the log. */
function toModelError(error: unknown, said: boolean, locale: Locale): unknown {
  if (!(error instanceof StewardError)) return error;
  // A conversation that is too long is shortened by who asks.
  if (error instanceof ContextTooLongError) return error;
  const keys: Partial<Record<typeof error.code, TextKey>> = {
    LIMIT_EXCEEDED: 'answerTooLong',
    RATE_LIMITED: 'modelBusy',
    TIMEOUT: 'modelTimeout',
  };
  const key = unavailable(error, said) ?? keys[error.code];
  if (!key) return error;
  return new StewardError(error.code, say(key, locale), error.details, { cause: error });
}
