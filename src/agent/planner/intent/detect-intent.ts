import { INTENT_KINDS, type IntentKind } from './intent-kind.js';
import { EN_RULES } from './rules-en.js';
import { ZH_RULES } from './rules-zh.js';

/** The likeliest intent and how much speaks for it. */
export interface DetectedIntent {
  kind: IntentKind;
  score: number;
}

const RULES = [...ZH_RULES, ...EN_RULES];
/** What a time and some words say for `create` when nothing else is asked: `Lunch Friday 12:30`. */
const IMPLICIT_CREATE = 1.5;
const MINIMUM = 2;
/** A question asks about something; it makes nothing by the way. */
const QUESTION =
  /[?？]|怎么|什么|为何|为什么|多少|哪|吗|谁|^(?:what|why|how|who|which|where|when|is|are|do|does|did|will|should)\b/i;

/**
 * Scores every intent by the signs in the message; the highest wins, ties go to the safer one (the
 * order of INTENT_KINDS).
 * @param text the folded message
 * @param facts whether a time was said, and whether words besides it are left
 */
export function detectIntent(
  text: string,
  facts: { saysTime: boolean; saysMore: boolean },
): DetectedIntent {
  const scores = new Map<IntentKind, number>();
  const add = (kind: IntentKind, score: number): void => {
    scores.set(kind, (scores.get(kind) ?? 0) + score);
  };
  for (const rule of RULES) if (rule.pattern.test(text)) add(rule.kind, rule.score);
  if (facts.saysTime && facts.saysMore && !QUESTION.test(text)) add('create', IMPLICIT_CREATE);

  let best: DetectedIntent = { kind: 'unknown', score: 0 };
  for (const kind of INTENT_KINDS) {
    const score = scores.get(kind) ?? 0;
    if (score > best.score) best = { kind, score };
  }
  if (best.kind === 'create' && best.score < MINIMUM && !facts.saysTime) {
    return { kind: 'unknown', score: best.score };
  }
  return best.score < 1 ? { kind: 'unknown', score: best.score } : best;
}
