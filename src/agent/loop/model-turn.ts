import { newId } from '../../common/ids.js';
import type { Locale } from '../../common/locale.js';
import { StewardError } from '../../common/steward-error.js';
import type { TokenUsage } from '../../events/run-event.js';
import { redactText } from '../../tool-output/credential-scan.js';
import type { ChatChunk, ModelToolCall } from '../models/chat-model.js';
import { text, type TextKey } from '../texts.js';
import { untilAborted } from '../../common/abortable.js';
import { toStorable } from './safe-text.js';
import type { TurnCall } from './turn-calls.js';

/** Bounds of one turn; a model past them is broken. */
const MAX_TEXT_CHARACTERS = 200_000;
const MAX_CALLS = 64;

export interface ModelTurn {
  text: string;
  calls: TurnCall[];
  finish: Extract<ChatChunk, { type: 'finish' }>['reason'];
  usage: TokenUsage | null;
}

/**
 * Takes one turn from a model.
 * @param onText gets each piece of text as it arrives.
 * @throws the signal's reason when it aborts; StewardError when the model gives no whole turn.
 */
export async function takeTurn(
  chunks: AsyncIterable<ChatChunk>,
  onText: (delta: string) => Promise<void>,
  signal: AbortSignal,
  locale: Locale,
): Promise<ModelTurn> {
  const calls: TurnCall[] = [];
  let said = '';
  const iterator = untilAborted(chunks, signal)[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await iterator.next().catch((error: unknown) => {
        throw signal.aborted ? error : toModelError(error, locale);
      });
      if (next.done) throw fault('DEPENDENCY_UNAVAILABLE', 'brokenStream', locale);
      const chunk = next.value;
      if (chunk.type === 'finish') {
        return { text: said, calls, finish: chunk.reason, usage: chunk.usage };
      }
      if (chunk.type === 'text') {
        said += chunk.delta;
        if (said.length > MAX_TEXT_CHARACTERS)
          throw fault('LIMIT_EXCEEDED', 'answerTooLong', locale);
        await onText(chunk.delta);
      } else {
        calls.push(toCall(chunk.call));
        if (calls.length > MAX_CALLS) throw fault('LIMIT_EXCEEDED', 'answerTooLong', locale);
      }
    }
  } finally {
    await iterator.return();
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
      arguments: toStorable(redactText(args)),
    },
  };
}

function fault(code: 'DEPENDENCY_UNAVAILABLE' | 'LIMIT_EXCEEDED', key: TextKey, locale: Locale) {
  return new StewardError(code, text(key, locale));
}

/** A model's own failure in the person's words; its details stay in the cause, for the log. */
function toModelError(error: unknown, locale: Locale): unknown {
  if (!(error instanceof StewardError)) return error;
  const keys: Partial<Record<typeof error.code, TextKey>> = {
    DEPENDENCY_UNAVAILABLE: 'modelUnavailable',
    RATE_LIMITED: 'modelBusy',
    TIMEOUT: 'modelTimeout',
  };
  const key = keys[error.code];
  if (!key) return error;
  return new StewardError(error.code, text(key, locale), error.details, { cause: error });
}
