import { isJsonObject } from '../../../common/json.js';
import type { CalendarEvent } from '../dialogue/calendar-event.js';
import type { Turn } from '../dialogue/conversation.js';
import type { ToolStep } from '../dialogue/tool-step.js';
import { ask, callCalendar, say, type Move, type PlanContext } from '../move.js';
import { plainText } from '../replies/format.js';
import { splitNames, takeEmails } from '../slots/people.js';
import { Draft, GAP } from '../text/draft.js';
import { answerFailure } from './outcome.js';
import { withOneEvent } from './on-event.js';
import { factsOf, withContact } from './resolve-contact.js';

/** People of one sharing who are looked up by name. */
const NAMES_MAX = 4;

const MAY_EDIT = /可以?编辑|可以?修改|编辑权限|\bedit(?:or|ing)?\b/i;
const PERMISSION_WORDS =
  /(?:，|,)?(?:允许|让|给)?(?:他|她|他们|对方)?(?:可以?)?(?:编辑|修改|查看|只读)(?:权限)?|\b(?:as|with|for)?\s*(?:an?\s+)?(?:edit(?:or|ing)?|view(?:er|ing)?)(?:\s+(?:access|permission|rights))?\b/gi;
const TO_ZH = /(?:分享|共享|转发)?给\s*([^,，。\uE000]{0,40})/;
const TO_EN = /\b(?:with|to)\s+([^,\uE000]{0,60})$/i;

/** Shares the one event that is meant with the emails in the message, or those of the people it names. */
export function planShare(
  text: string,
  turn: Turn,
  context: PlanContext,
  chosen: CalendarEvent | null,
): Move {
  const draft = new Draft(text);
  const emails = takeEmails(draft);
  const permission = MAY_EDIT.test(draft.text) ? 'edit' : 'view';
  draft.text = draft.text.replace(PERMISSION_WORDS, (words) => GAP.repeat(words.length));
  const to = draft.take(/\p{Script=Han}/u.test(draft.text) ? TO_ZH : TO_EN);
  const names = emails.length > 0 ? '' : (to?.[1] ?? '').replaceAll(GAP, '').trim();
  const description = draft.text.replaceAll(GAP, ' ');
  return withOneEvent({ action: 'share', description, chosen }, turn, context, (event) => {
    const title = plainText(event.title);
    if (emails.length === 0) {
      if (names === '') {
        return ask(context.phrases.askShareWith(title), { about: 'share_with', event });
      }
      return withEmails(splitNames(names), names, event, turn, context, (found) =>
        share(event, found, permission, turn, context),
      );
    }
    return share(event, emails, permission, turn, context);
  });
}

/** The first address of every contact that is named; who has none, or is nobody's, is asked for. */
function withEmails(
  names: string[],
  said: string,
  event: CalendarEvent,
  turn: Turn,
  context: PlanContext,
  act: (emails: string[]) => Move,
): Move {
  const missing = (who: string): Move =>
    ask(context.phrases.needEmail(plainText(who, 40)), { about: 'share_with', event });
  const next = (left: string[], emails: string[]): Move => {
    const [name, ...others] = left;
    if (name === undefined) return act(emails);
    return withContact(
      name,
      turn,
      context,
      (contact) => {
        const email = factsOf(contact, 'email').split(', ')[0] ?? '';
        return email === '' ? missing(name) : next(others, [...emails, email]);
      },
      () => missing(name),
    );
  };
  return names.length === 0 ? missing(said) : next(names.slice(0, NAMES_MAX), []);
}

/** Shares once, then reports what came of each. */
function share(
  event: CalendarEvent,
  emails: string[],
  permission: 'edit' | 'view',
  turn: Turn,
  context: PlanContext,
): Move {
  const title = plainText(event.title);
  const step = turn.steps.findLast((done) => done.method === 'share');
  if (!step) {
    return callCalendar('share', {
      event_id: event.id,
      with: [...new Set(emails)].map((email) => ({ email, permission })),
    });
  }
  return shareFailure(step, context) ?? say(report(step, title, emails, context));
}

/** NOT_FOUND is about the people when the result names them, else about the event. */
function shareFailure(step: ToolStep, context: PlanContext): Move | null {
  const { result } = step;
  const aboutPeople = result.status === 'failure' && Array.isArray(result.error['issues']);
  return answerFailure(aboutPeople ? step : { ...step, method: 'read' }, context);
}

function report(step: ToolStep, title: string, emails: string[], context: PlanContext): string {
  const { phrases, locale } = context;
  const join = (parts: string[]): string => parts.join(locale === 'zh-CN' ? '、' : ', ');
  const targets =
    step.result.status === 'success' || step.result.status === 'partial'
      ? step.result.data['targets']
      : [];
  const outcomes = Array.isArray(targets) ? targets.filter(isJsonObject) : [];
  if (outcomes.length === 0) return phrases.shared(title, join(emails), emails.length);
  const email = (outcome: (typeof outcomes)[number]): string =>
    plainText(typeof outcome['email'] === 'string' ? outcome['email'] : '?', 60);
  const code = (outcome: (typeof outcomes)[number]): unknown =>
    isJsonObject(outcome['error']) ? outcome['error']['code'] : undefined;
  const refused = outcomes.filter((outcome) => outcome['status'] === 'failed');
  const unknown = refused.filter((outcome) => code(outcome) === 'NOT_FOUND').map(email);
  const failed = refused.filter((outcome) => code(outcome) !== 'NOT_FOUND').map(email);
  const shared = outcomes.filter((outcome) => outcome['status'] !== 'failed').map(email);
  return [
    shared.length > 0 ? phrases.shared(title, join(shared), shared.length) : '',
    unknown.length > 0 ? phrases.sharedUnknown(join(unknown)) : '',
    failed.length > 0 ? phrases.sharedFailed(join(failed)) : '',
  ]
    .filter(Boolean)
    .join(' ');
}
