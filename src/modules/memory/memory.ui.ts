import { Temporal } from 'temporal-polyfill';
import { dayText } from '../../common/day-text.js';
import { failureText } from '../../common/error-reasons.js';
import { isJsonObject, type JsonObject } from '../../common/json.js';
import {
  UI_HINTS_VERSION,
  type UiAction,
  type UiContext,
  type UiField,
  type UiHints,
  type UiItem,
} from '../../tool-output/ui-hints.js';
import type { UiTemplate } from '../../tool-router/public.js';
import { numberOf, objectOf, objectsOf, textOf, textsIn } from './ui/card-data.js';
import { textsOf } from './ui/memory-texts.js';

/** A template for data that is an object; other data has no card. */
function template(
  build: (data: JsonObject, input: JsonObject, context: UiContext) => UiHints,
): UiTemplate {
  return (data, input, context) => (isJsonObject(data) ? build(data, input, context) : null);
}

/** What was remembered, changed or removed: before and after, and the way to forget it. */
export const updateCard = template((data, _input, context) => {
  const changes = objectsOf(data.items);
  const [first] = changes;
  return first && changes.length === 1
    ? changeCard(first, context)
    : batchCard(data, changes, context);
});

/** The question before several facts are forgotten, or how many are. */
export const forgetCard = template((data, input, context) => {
  const texts = textsOf(context.locale);
  const facts = objectsOf(data.items);
  const confirm = textOf(data.confirm);
  if (data.forgotten === true || !confirm) {
    const title = texts.forgotten(numberOf(data.count));
    return card('forget', context, { title, tone: 'neutral', sections: [] });
  }
  const { key, query } = input;
  const named = key === undefined ? { query } : { key };
  return card('forget', context, {
    title: texts.forgetQuestion(facts.length),
    tone: 'warning',
    subtitle: texts.forgetNote,
    sections: [
      {
        items: facts.map((fact) => ({
          ...idOf(fact),
          title: textOf(fact.text) ?? '',
          ...(textOf(fact.key) ? { subtitle: textOf(fact.key) ?? '' } : {}),
        })),
      },
    ],
    actions: [
      {
        label: texts.forgetThese,
        style: 'danger',
        module: 'memory',
        method: 'forget',
        input: { ...named, confirm },
      },
    ],
  });
});

function card(
  method: string,
  context: UiContext,
  content: Omit<UiHints, 'version' | 'template' | 'locale' | 'timezone'>,
): UiHints {
  const { locale, timezone } = context;
  return { version: UI_HINTS_VERSION, template: `memory.${method}`, locale, timezone, ...content };
}

function changeCard(change: JsonObject, context: UiContext): UiHints {
  const texts = textsOf(context.locale);
  const fact = objectOf(change.fact);
  const label = textOf(change.key) ?? texts.fact;
  const before = textsIn(change.before).join(texts.comma);
  const expires = textOf(fact.expiresAt);
  const source = texts.source[textOf(fact.source) ?? ''];
  const reason = failureText(objectOf(change.error), context.locale);
  const fields: UiField[] = [
    ...(reason ? [{ label: texts.reason, value: reason }] : []),
    {
      label,
      value: textOf(fact.text) ?? texts.none,
      ...(before ? { before } : {}),
    },
    ...(expires ? [{ label: texts.expires, value: instantText(expires, context) }] : []),
  ];
  return card('update', context, {
    title: statusText(change, context),
    tone: toneOf(change),
    ...(source ? { subtitle: source } : {}),
    sections: [{ fields }],
    ...forgetActions(fact, context),
  });
}

function batchCard(data: JsonObject, changes: JsonObject[], context: UiContext): UiHints {
  const texts = textsOf(context.locale);
  const failed = numberOf(data.failed);
  return card('update', context, {
    title: texts.batch(numberOf(data.count), failed),
    tone: failed > 0 ? 'warning' : 'positive',
    sections: [{ items: failuresFirst(changes).map((change) => changeItem(change, context)) }],
  });
}

/** What failed must not be overlooked. */
function failuresFirst(changes: JsonObject[]): JsonObject[] {
  const failed = ({ status }: JsonObject) => status === 'failure';
  return [...changes.filter(failed), ...changes.filter((change) => !failed(change))];
}

function toneOf({ status }: JsonObject): UiHints['tone'] {
  if (status === 'failure') return 'negative';
  return status === 'remembered' || status === 'updated' ? 'positive' : 'neutral';
}

function changeItem(change: JsonObject, context: UiContext): UiItem {
  const texts = textsOf(context.locale);
  const fact = objectOf(change.fact);
  const key = textOf(change.key);
  const reason = failureText(objectOf(change.error), context.locale);
  const before = textsIn(change.before).join(texts.comma);
  const now = textOf(fact.text);
  const moved = now && before ? `${before} → ${now}` : (now ?? before);
  return {
    ...idOf(fact),
    title: moved || (key ?? texts.fact),
    ...(reason ? { subtitle: reason } : key ? { subtitle: key } : {}),
    badges: [statusText(change, context)],
    ...forgetActions(fact, context),
  };
}

function statusText(change: JsonObject, context: UiContext): string {
  const texts = textsOf(context.locale);
  switch (change.status) {
    case 'remembered':
      return texts.remembered;
    case 'updated':
      return texts.updated;
    case 'removed':
      return texts.removed;
    case 'failure':
      return texts.failed;
    default:
      return texts.unchanged;
  }
}

/** The button erases the fact for good; the router asks the whitelist again when it is pressed. */
function forgetActions(fact: JsonObject, { locale }: UiContext): { actions?: UiAction[] } {
  const fact_id = textOf(fact.id);
  if (!fact_id) return {};
  const label = textsOf(locale).forget;
  return {
    actions: [{ label, style: 'danger', module: 'memory', method: 'forget', input: { fact_id } }],
  };
}

function idOf(fact: JsonObject): { id?: string } {
  const id = textOf(fact.id);
  return id ? { id } : {};
}

/** `2026年4月21日 星期二 15:00` in the reader's zone; what is no instant stays as it is. */
function instantText(instant: string, { locale, timezone }: UiContext): string {
  if (Number.isNaN(Date.parse(instant))) return instant;
  const there = Temporal.Instant.from(new Date(instant).toISOString()).toZonedDateTimeISO(timezone);
  const clock = there.toPlainTime().toString({ smallestUnit: 'minute' });
  return `${dayText(there.toPlainDate().toString(), { locale })} ${clock}`;
}
