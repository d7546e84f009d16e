import { isJsonObject, type JsonObject } from '../../common/json.js';
import { afterRows } from '../../common/page-skip.js';
import {
  CARD_ROWS,
  UI_HINTS_VERSION,
  type UiAction,
  type UiContext,
  type UiHints,
  type UiItem,
} from '../../tool-output/ui-hints.js';
import type { UiTemplate } from '../../tool-router/public.js';
import { badgesOf, contactFields, contactLine, objectsOf, textOf } from './ui/card-contact.js';
import { encodeCursor } from './rules/contact-cursor.js';
import { textsOf } from './ui/card-texts.js';

/** The card of `contacts.read` (PROTOCOL §8): a list, one contact, candidates or duplicates; pure. */
export const readCard: UiTemplate = (data, input, context) => {
  if (!isJsonObject(data)) return null;
  if (Array.isArray(data.groups)) return duplicatesCard(data, input, context);
  if (data.ambiguous === true) return candidatesCard(data, input, context);
  const [first] = objectsOf(data.items);
  const isOne = input.mode === 'contact' || input.mode === 'resolve';
  return isOne && first ? contactCard(first, context) : listCard(data, input, context);
};

function card(
  context: UiContext,
  content: Pick<UiHints, 'title' | 'sections'> & Partial<UiHints>,
): UiHints {
  return {
    version: UI_HINTS_VERSION,
    template: 'contacts.read',
    locale: context.locale,
    timezone: context.timezone,
    tone: 'neutral',
    ...content,
  };
}

function button(
  label: string,
  style: UiAction['style'],
  method: string,
  input: JsonObject,
): UiAction {
  return { label, style, module: 'contacts', method, input };
}

function listCard(data: JsonObject, input: JsonObject, context: UiContext): UiHints {
  const texts = textsOf(context.locale);
  const query = textOf(input.query);
  const group = textOf(input.group);
  const all = objectsOf(data.items);
  const rest = all.length > CARD_ROWS;
  const cursor = rest ? afterRows(textOf(input.cursor), CARD_ROWS) : textOf(data.nextCursor);
  const asked = [
    ...(query ? [texts.searched(query)] : []),
    ...(group ? [`${texts.groups} ${group}`] : []),
  ];
  const items = all.slice(0, CARD_ROWS).map((contact) => contactItem(contact, texts.open, context));
  return card(context, {
    title: texts.contacts,
    ...(asked.length > 0 ? { subtitle: asked.join(' · ') } : {}),
    sections: items.length > 0 ? [{ items }] : [],
    ...(cursor ? { actions: [button(texts.more, 'secondary', 'read', { ...input, cursor })] } : {}),
    emptyText: query === undefined ? texts.noContacts : texts.noMatch(query),
  });
}

function contactCard(contact: JsonObject, context: UiContext): UiHints {
  const texts = textsOf(context.locale);
  const contact_id = textOf(contact.id) ?? '';
  return card(context, {
    title: textOf(contact.name) ?? texts.contact,
    subtitle: texts.contact,
    sections: [{ fields: contactFields(contact, context) }],
    actions: [button(texts.delete, 'danger', 'delete', { contact_id })],
  });
}

/** Several fit: a button each, which says who was meant. */
function candidatesCard(data: JsonObject, input: JsonObject, context: UiContext): UiHints {
  const texts = textsOf(context.locale);
  const query = textOf(input.query) ?? '';
  const candidates = objectsOf(data.candidates);
  const count = typeof data.candidateCount === 'number' ? data.candidateCount : candidates.length;
  return card(context, {
    title: count === 1 ? texts.guess(query) : texts.ambiguous(query),
    tone: 'warning',
    subtitle: texts.howMany(count),
    sections: [
      {
        items: candidates.map((contact) => contactItem(contact, texts.choose, context, 'primary')),
      },
    ],
    emptyText: texts.noMatch(query),
  });
}

/** A section for each group; its button merges the group into its oldest contact. */
function duplicatesCard(data: JsonObject, input: JsonObject, context: UiContext): UiHints {
  const texts = textsOf(context.locale);
  const groups = objectsOf(data.groups).map((group) => ({
    contacts: objectsOf(group.contacts),
    reasons: Array.isArray(group.reasons) ? group.reasons : [],
  }));
  const shown = wholeGroups(groups);
  const last = textOf(shown.at(-1)?.contacts[0]?.id);
  const cursor =
    shown.length < groups.length && last
      ? encodeCursor({ sortKey: '', id: last })
      : textOf(data.nextCursor);
  const sections = shown.map(({ contacts, reasons }) => {
    const [kept, ...others] = contacts.map((contact) => textOf(contact.id) ?? '');
    const merge = button(texts.merge, 'primary', 'merge', {
      contact_id: kept ?? '',
      other_ids: others,
    });
    const items = contacts.map((contact, index) => ({
      ...contactItem(contact, texts.open, context),
      ...(index === 0 && others.length > 0 ? { actions: [merge] } : {}),
    }));
    return {
      heading: reasons
        .flatMap((reason) => texts.reasons[textOf(reason) ?? ''] ?? [])
        .join(texts.comma),
      items,
    };
  });
  return card(context, {
    title: texts.duplicates,
    sections,
    ...(cursor ? { actions: [button(texts.more, 'secondary', 'read', { ...input, cursor })] } : {}),
    emptyText: texts.noDuplicates,
  });
}

/** As many groups as a card has rows for, at least one: half of a group could not be merged. */
function wholeGroups<T extends { contacts: unknown[] }>(groups: T[]): T[] {
  let rows = 0;
  return groups.filter(({ contacts }, index) => {
    rows += contacts.length;
    return index === 0 || rows <= CARD_ROWS;
  });
}

function contactItem(
  contact: JsonObject,
  label: string,
  context: UiContext,
  style: UiAction['style'] = 'secondary',
): UiItem {
  const texts = textsOf(context.locale);
  const id = textOf(contact.id) ?? '';
  const subtitle = contactLine(contact);
  const badges = badgesOf(contact, context);
  return {
    id,
    title: textOf(contact.name) ?? texts.unnamed,
    ...(subtitle ? { subtitle } : {}),
    ...(badges.length > 0 ? { badges } : {}),
    actions: [button(label, style, 'read', { mode: 'contact', contact_id: id })],
  };
}
