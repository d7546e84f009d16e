import { isJsonObject, type JsonObject } from '../../../common/json.js';
import type { Turn } from '../dialogue/conversation.js';
import { errorCode, eventsOf, type ToolStep } from '../dialogue/tool-step.js';
import { ask, callCalendar, say, type Move, type PlanContext } from '../move.js';
import { eventWords } from '../replies/event-words.js';
import { clockText, plainText } from '../replies/format.js';
import { modulePhrasesOf } from '../replies/module-phrases.js';
import { attendee } from '../slots/people.js';
import { readNewEvent, type NewEventSaid } from '../slots/new-event.js';
import { Draft } from '../text/draft.js';
import { readTime } from '../time/read-time.js';
import { scheduleInput, scheduleOf, type KnownSchedule } from '../time/schedule.js';
import { answerFailure } from './outcome.js';

/** Fields an event can do without; one that the calendar refuses is left out, once, and said. */
const OPTIONAL = ['attendees', 'location', 'timezone', 'reminders'];

/** Makes a new event: asks for what is missing, creates it, reports. */
export function planCreate(text: string, turn: Turn, context: PlanContext): Move {
  const { phrases, now } = context;
  const said = readNewEvent(text, now);
  if (said.when.impossible !== null) return say(phrases.impossibleDate(said.when.impossible));
  if (said.title === null) return ask(phrases.askTitle, { about: 'title' });
  const schedule = scheduleOf(said.when, now);
  if (schedule.kind === 'missing') {
    const question = schedule.what === 'day' ? phrases.askDay : phrases.askTime;
    return ask(question(plainText(said.title)), { about: 'time' });
  }
  if (schedule.kind === 'reversed') {
    const { start } = schedule;
    const draft = new Draft(text);
    readTime(draft, now);
    const rest = draft.originalLeft();
    const begun = `${start.toPlainDate().toString()} ${clockText(start)}`;
    const words = phrases.askEnd(plainText(said.title), clockText(start));
    return ask(words, { about: 'end', said: begun, rest });
  }
  const creates = turn.steps.filter((step) => step.method === 'create');
  const last = creates.at(-1);
  const input = createInput(said.title, said, schedule, context);
  if (!last) return callCalendar('create', input);
  const refused = creates.length === 1 ? refusedFields(last) : [];
  if (refused.length > 0) {
    const rest = Object.entries(last.input).filter(([key]) => !refused.includes(key));
    return callCalendar('create', Object.fromEntries(rest));
  }
  return answerFailure(last, context) ?? report(creates, last, said, schedule, context);
}

function createInput(
  title: string,
  said: NewEventSaid,
  schedule: KnownSchedule,
  context: PlanContext,
): JsonObject {
  return {
    title,
    ...scheduleInput(schedule),
    timezone: context.now.timeZoneId,
    ...(said.place !== null && { location: said.place }),
    ...(said.rrule !== null && { rrule: said.rrule }),
    ...(said.remindBefore !== null && { reminders: [said.remindBefore] }),
    ...(said.people.persons.length > 0 && {
      attendees: said.people.persons.map((person) => ({ ...attendee(person) })),
    }),
  };
}

/** Optional fields that alone made the calendar refuse the input. */
function refusedFields(step: ToolStep): string[] {
  if (errorCode(step) !== 'INVALID_ACTION_INPUT' || step.result.status !== 'failure') return [];
  const { issues } = step.result.error;
  if (!Array.isArray(issues) || issues.length === 0) return [];
  const fields = issues.map((issue) => {
    const path = isJsonObject(issue) ? issue['path'] : undefined;
    return typeof path === 'string' ? (path.split('.')[0] ?? '') : '';
  });
  const droppable = fields.every((field) => OPTIONAL.includes(field) && field in step.input);
  return droppable ? [...new Set(fields)] : [];
}

function report(
  creates: readonly ToolStep[],
  last: ToolStep,
  said: NewEventSaid,
  schedule: KnownSchedule,
  context: PlanContext,
): Move {
  const { phrases, now } = context;
  const [event] = eventsOf(last);
  if (last.result.status === 'partial') return say(partialReport(last, context));
  if (!event) return say(phrases.unreadable);
  const first = creates[0];
  const dropped = first ? Object.keys(first.input).filter((key) => !(key in last.input)) : [];
  const notes = [phrases.created(eventWords(event, context))];
  if (schedule.kind === 'timed') {
    if (schedule.assumed) notes.push(phrases.assumedTime(clockText(schedule.start)));
    if (schedule.end.epochMilliseconds < now.epochMilliseconds) notes.push(phrases.inThePast);
  }
  if (dropped.length > 0) notes.push(phrases.leftOut(dropped));
  const kept = last.input;
  const more = modulePhrasesOf(context.locale);
  const overlapped = conflictsOf(last);
  if (overlapped.length > 0) notes.push(more.overlaps(overlapped));
  if ('rrule' in kept) notes.push(more.repeats);
  if ('reminders' in kept && said.remindBefore !== null) {
    notes.push(more.reminderKept(said.remindBefore));
  }
  if (said.reminder) notes.push(phrases.noReminder);
  return say(notes.join(context.locale === 'zh-CN' ? '' : ' '));
}

/** Titles of what the new event overlaps. */
function conflictsOf({ result }: ToolStep): string[] {
  const found = result.status === 'success' ? result.data['conflicts'] : [];
  return (Array.isArray(found) ? found.filter(isJsonObject) : []).flatMap(({ title }) =>
    typeof title === 'string' ? [plainText(title, 40)] : [],
  );
}

/** A batch of which some failed: every item's outcome is said. */
function partialReport(step: ToolStep, context: PlanContext): string {
  const items = step.result.status === 'partial' ? step.result.data['items'] : [];
  const outcomes = Array.isArray(items) ? items.filter(isJsonObject) : [];
  const title = (item: JsonObject): string =>
    plainText(typeof item['title'] === 'string' ? item['title'] : '?');
  const failed = outcomes.filter((item) => item['status'] === 'failure');
  return context.phrases.createdSome(
    outcomes.filter((item) => item['status'] !== 'failure').map(title),
    failed.map((item) => {
      const error = isJsonObject(item['error']) ? item['error'] : {};
      const code = typeof error['code'] === 'string' ? error['code'] : 'INTERNAL';
      return `${title(item)} (${context.phrases.failed('calendar.create', code, '')})`;
    }),
  );
}
