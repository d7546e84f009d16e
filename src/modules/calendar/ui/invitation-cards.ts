import { failureText } from '../../../common/error-reasons.js';
import type { JsonObject } from '../../../common/json.js';
import type { UiContext, UiHints } from '../../../tool-output/ui-hints.js';
import { cardEvent, failuresFirst, numberOf, objectOf, objectsOf, textOf } from './card-event.js';
import { button, card, eventFields, openAction, titleOf, doneText } from './card-parts.js';
import { textsOf } from './card-texts.js';

/** Who was invited, and who could not be. */
export function sharedCard(data: JsonObject, context: UiContext): UiHints {
  const texts = textsOf(context.locale);
  const event = cardEvent(data);
  const failed = numberOf(data.failed);
  const targets = objectsOf(data.targets);
  const withdrawn = targets.filter(({ status }) => status === 'withdrawn').length;
  const allWithdrawn = withdrawn > 0 && withdrawn === targets.length;
  return card('share', context, {
    title: titleOf(event, context),
    tone: failed > 0 ? 'warning' : 'positive',
    subtitle: allWithdrawn
      ? texts.withdrawn(withdrawn)
      : `${texts.shared} · ${texts.sharedWith(numberOf(data.count), failed)}`,
    sections: [
      { fields: eventFields(event, context) },
      {
        heading: texts.sharedNow,
        items: failuresFirst(targets).map((target) => {
          const email = textOf(target.email) ?? '';
          const permission = texts.permission[textOf(target.permission) ?? ''];
          const status = texts.share[textOf(target.status) ?? ''];
          return {
            title: textOf(target.name) ?? email,
            subtitle: refusalText(objectOf(target.error), context) || email,
            badges: [status, permission].filter((badge) => badge !== undefined),
          };
        }),
      },
    ],
    actions: [openAction(event.id, context)],
  });
}

/** Why somebody was not invited: mostly because nobody has the address. */
function refusalText(error: JsonObject, { locale }: UiContext): string {
  return error.code === 'NOT_FOUND' ? textsOf(locale).noUser : failureText(error, locale);
}

/** An answered invitation, with the way to the other answer. */
export function answeredCard(
  method: 'accept_invite' | 'reject_invite',
  data: JsonObject,
  context: UiContext,
): UiHints {
  const texts = textsOf(context.locale);
  const event = cardEvent(data);
  const accepted = method === 'accept_invite';
  const input = { event_id: event.id };
  return card(method, context, {
    title: titleOf(event, context),
    tone: accepted ? 'positive' : 'neutral',
    subtitle: doneText(accepted ? texts.accepted : texts.rejected, data, context),
    sections: [{ fields: eventFields(event, context) }],
    actions: accepted
      ? [openAction(event.id, context), button(texts.leave, 'secondary', 'reject_invite', input)]
      : [button(texts.acceptAgain, 'secondary', 'accept_invite', input)],
  });
}
