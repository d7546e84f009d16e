import { isJsonObject, type JsonObject } from '../../common/json.js';
import type { UiContext, UiHints } from '../../tool-output/ui-hints.js';
import type { UiTemplate } from '../../tool-router/public.js';
import { agendaCard, eventCard } from './ui/agenda.js';
import { answeredCard, sharedCard } from './ui/invitation-cards.js';
import { batchCard, createdCard, deletedCard, updatedCard } from './ui/write-cards.js';

/** A template for data that is an object; other data has no card. */
function template(
  build: (data: JsonObject, input: JsonObject, context: UiContext) => UiHints,
): UiTemplate {
  return (data, input, context) => (isJsonObject(data) ? build(data, input, context) : null);
}

/** The calendar's cards (PROTOCOL §8), one template a method; pure. */
export const readCard = template((data, input, context) =>
  input.mode === 'event' ? eventCard(data, context) : agendaCard(data, input, context),
);

export const createCard = template((data, _input, context) =>
  Array.isArray(data.items) ? batchCard(data, context) : createdCard(data, context),
);

export const updateCard = template((data, _input, context) => updatedCard(data, context));

export const deleteCard = template((data, _input, context) => deletedCard(data, context));

export const shareCard = template((data, _input, context) => sharedCard(data, context));

export const acceptCard = template((data, _input, context) =>
  answeredCard('accept_invite', data, context),
);

export const rejectCard = template((data, _input, context) =>
  answeredCard('reject_invite', data, context),
);
