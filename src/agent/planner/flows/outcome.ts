import { errorCode, type ToolStep } from '../dialogue/tool-step.js';
import { say, type Move, type PlanContext } from '../move.js';
import { plainText } from '../replies/format.js';
import { errorDetail } from './find-event.js';

/** Says what went wrong, in words that fit the code. */
export function sayFailure(
  method: string,
  code: string,
  detail: string,
  context: PlanContext,
): Move {
  if (code === 'UNREADABLE') return say(context.phrases.unreadable);
  return say(context.phrases.failed(method, code, plainText(detail, 200)));
}

/** The answer to a step that did not succeed; null when it did. */
export function answerFailure(step: ToolStep, context: PlanContext): Move | null {
  if (step.result.status === 'unreadable') return say(context.phrases.unreadable);
  const code = errorCode(step);
  const method = `${step.module}.${step.method}`;
  return code === null ? null : sayFailure(method, code, errorDetail(step), context);
}
