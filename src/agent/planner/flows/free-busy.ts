import { isJsonObject, type JsonObject, type JsonValue } from '../../../common/json.js';
import type { Turn } from '../dialogue/conversation.js';
import { errorCode, type ToolStep } from '../dialogue/tool-step.js';
import { callCalendar, say, type Move, type PlanContext } from '../move.js';
import { periodWords } from '../replies/event-words.js';
import { plainText, whenText } from '../replies/format.js';
import { modulePhrasesOf } from '../replies/module-phrases.js';
import { takeEmails } from '../slots/people.js';
import { Draft, GAP } from '../text/draft.js';
import { readTime } from '../time/read-time.js';
import type { When } from '../time/when.js';
import { readInput } from './find-event.js';
import { answerFailure } from './outcome.js';
import { factsOf, withContact } from './resolve-contact.js';

const DAYS = 7;
const SLOT_MINUTES = 60;
const FIND = /找|共同|都有空|什么时候|何时|哪天|\bfind\b|\bwhen\b|\bslot\b/i;
const NAME =
  /(?:和|跟|与)?\s*([A-Za-z]{2,20}|\p{Script=Han}{1,3}?(?:总|老师|经理|姐|哥)?)\s*(?:都|[\uE000\s]){0,40}(?:什么时候|何时|哪天)?(?:有空|空闲|方便)|\b(?:is|are|when is|with)\s+([A-Z][a-z]{1,20})\b/u;
const NOBODY =
  /^(?:我|大家|他们|她们|所有人|团队|同事|everyone|everybody|they|we|he|she|find|when|is)$/i;

/** Answers when other people are free. Names are looked up in the contacts. */
export function planFreeBusy(text: string, turn: Turn, context: PlanContext): Move {
  const draft = new Draft(text);
  const emails = [...new Set(takeEmails(draft))];
  const when = readTime(draft, context.now);
  if (emails.length > 0) return askCalendar(text, when, emails, turn, context);
  const match = NAME.exec(draft.text);
  const name = (match?.[1] ?? match?.[2] ?? '').replaceAll(GAP, '').trim();
  if (name === '' || NOBODY.test(name)) return say(modulePhrasesOf(context.locale).whose);
  return withContact(name, turn, context, (contact) => {
    const email = factsOf(contact, 'email').split(', ')[0] ?? '';
    if (email === '') return say(context.phrases.needEmail(plainText(name, 40)));
    return askCalendar(text, when, [email], turn, context);
  });
}

function askCalendar(
  text: string,
  when: When,
  emails: string[],
  turn: Turn,
  context: PlanContext,
): Move {
  const finds = FIND.test(text);
  const method = finds ? 'find_slot' : 'free_busy';
  const step = turn.steps.findLast((done) => done.method === method);
  if (!step)
    return callCalendar(
      method,
      finds ? slotInput(when, emails, context) : busyInput(when, emails, context),
    );
  const code = errorCode(step);
  if (code === 'METHOD_NOT_FOUND' || code === 'METHOD_NOT_ALLOWED') {
    return say(context.phrases.missingFeature.free_busy);
  }
  return (
    answerFailure(step, context) ??
    say(finds ? slotReport(step, context) : busyReport(step, when, context))
  );
}

function windowInput(when: When, context: PlanContext): JsonObject {
  const today = context.now.toPlainDate();
  const last = when.start || when.part ? today : today.add({ days: DAYS - 1 });
  const days = when.days ?? { first: today, last };
  const oneDay = days.first.equals(days.last) && !when.part && !when.start;
  if (oneDay) {
    const start = days.first.toZonedDateTime(context.now.timeZoneId);
    const iso = (moment: typeof start): string =>
      moment.toString({ timeZoneName: 'never', smallestUnit: 'second' });
    return { start_at: iso(start), end_at: iso(start.add({ days: 1 })) };
  }
  const input = readInput({ ...when, days }, context);
  return { start_at: input['start_at'] ?? '', end_at: input['end_at'] ?? '' };
}

function busyInput(when: When, people: string[], context: PlanContext): JsonObject {
  return { ...windowInput(when, context), people };
}

function slotInput(when: When, participants: string[], context: PlanContext): JsonObject {
  return {
    duration_minutes: when.minutes ?? SLOT_MINUTES,
    participants,
    ...(when.days && windowInput({ ...when, minutes: null }, context)),
  };
}

function busyReport(step: ToolStep, when: When, context: PlanContext): string {
  const phrases = modulePhrasesOf(context.locale);
  const period = periodWords(when, context);
  return objectsIn(dataOf(step)['people'])
    .map((person) => {
      const shown = person['name'] ?? person['email'];
      const name = plainText(typeof shown === 'string' ? shown : '?', 60);
      if (person['status'] === 'failure') return phrases.notVisible(name);
      const times = timesIn(person['busy'], context);
      return times.length === 0
        ? phrases.isFree(name, period)
        : phrases.isBusy(name, period, times);
    })
    .join('\n');
}

function slotReport(step: ToolStep, context: PlanContext): string {
  const phrases = modulePhrasesOf(context.locale);
  const times = timesIn(dataOf(step)['slots'], context);
  return times.length === 0 ? phrases.noSlots : phrases.slots(times);
}

function timesIn(value: JsonValue | undefined, { now, locale }: PlanContext): string[] {
  return objectsIn(value)
    .slice(0, 10)
    .map(({ startAt, endAt }) => {
      if (typeof startAt !== 'string' || typeof endAt !== 'string') return '';
      const span = { id: '', title: '', allDay: false, attendees: [], startAt, endAt };
      return whenText(span, now, locale);
    })
    .filter((time) => time !== '');
}

function dataOf({ result }: ToolStep): JsonObject {
  return result.status === 'success' || result.status === 'partial' ? result.data : {};
}

function objectsIn(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
