import type { Locale } from '../../common/locale.js';
import type { UiSchema } from '../../events/run-event.js';
import type { UiAction, UiField, UiHints, UiItem, UiSection, UiTone } from '../ui-hints.js';
import { cardLine } from './card-line.js';
import { A2UI_VERSION, BASIC_CATALOG_ID, SurfaceBuilder } from './surface-builder.js';

/** Rows on a card; the rest is counted in a note, and read with the method's own paging. */
export const MAX_CARD_ITEMS = 20;

const MAX_SECTIONS = 20;
const MAX_FIELDS = 20;
const MAX_ACTIONS = 6;
const MAX_BADGES = 4;

const TONE_ICONS: Record<Exclude<UiTone, 'neutral'>, string> = {
  positive: 'check',
  warning: 'warning',
  negative: 'error',
};

const TOPIC_ICONS: Readonly<Record<string, string>> = {
  calendar: 'calendarToday',
  contacts: 'person',
};

function iconOf(hints: UiHints): string {
  if (hints.tone === 'positive' || hints.tone === 'warning' || hints.tone === 'negative') {
    return TONE_ICONS[hints.tone];
  }
  const topic = cardLine(hints.template).split('.')[0] ?? '';
  return (Object.hasOwn(TOPIC_ICONS, topic) ? TOPIC_ICONS[topic] : undefined) ?? 'info';
}

function field(to: SurfaceBuilder, id: string, { label, value, before }: UiField): string | null {
  const old = cardLine(before);
  const now = cardLine(value);
  if (old === '' && now === '') return null;
  return to.row(id, [
    to.text(`${id}-label`, label, 'caption'),
    to.text(`${id}-value`, old === '' ? now : `${old} → ${now || '—'}`),
  ]);
}

function actions(to: SurfaceBuilder, id: string, list: UiAction[] | undefined): string | null {
  const shown = (list ?? []).slice(0, MAX_ACTIONS);
  return to.row(
    id,
    shown.map((action, n) => to.button(`${id}-${n}`, action)),
  );
}

function item(to: SurfaceBuilder, id: string, row: UiItem): string | null {
  const badges = (row.badges ?? []).slice(0, MAX_BADGES).map(cardLine).filter(Boolean);
  return to.column(id, [
    to.row(`${id}-head`, [
      to.text(`${id}-title`, row.title),
      to.text(`${id}-badges`, badges.join(' · '), 'caption'),
    ]),
    to.text(`${id}-subtitle`, row.subtitle, 'caption'),
    actions(to, `${id}-actions`, row.actions),
  ]);
}

/** One section with at most `room` rows. */
function section(to: SurfaceBuilder, id: string, part: UiSection, room: number): string | null {
  const fields = (part.fields ?? []).slice(0, MAX_FIELDS);
  const items = (part.items ?? []).slice(0, room);
  return to.column(id, [
    to.text(`${id}-heading`, part.heading, 'h5'),
    ...fields.map((entry, n) => field(to, `${id}-field-${n}`, entry)),
    ...items.map((entry, n) => item(to, `${id}-item-${n}`, entry)),
  ]);
}

function moreNote(hidden: number, locale: Locale): string {
  if (locale === 'zh-CN') return `还有 ${hidden} 项未显示`;
  return hidden === 1 ? '1 more is not shown' : `${hidden} more are not shown`;
}

/** The sections with dividers between them, and a note for the rows that found no room. */
function sections(to: SurfaceBuilder, hints: UiHints): (string | null)[] {
  const all = hints.sections ?? [];
  const total = all.reduce((sum, part) => sum + (part.items?.length ?? 0), 0);
  const ids: (string | null)[] = [];
  let room = MAX_CARD_ITEMS;
  for (const [n, part] of all.slice(0, MAX_SECTIONS).entries()) {
    const rows = part.items?.length ?? 0;
    if (rows > 0 && room === 0) break;
    const id = section(to, `section-${n}`, part, room);
    room -= Math.min(rows, room);
    if (id === null) continue;
    if (ids.length > 0) ids.push(to.divider(`divider-${n}`));
    ids.push(id);
  }
  const hidden = total - (MAX_CARD_ITEMS - room);
  if (hidden > 0) ids.push(to.text('more', moreNote(hidden, hints.locale), 'caption'));
  if (ids.length === 0) ids.push(to.text('empty', hints.emptyText, 'caption'));
  return ids;
}

/**
 * The codec (PROTOCOL §8): ui_hints to the A2UI v0.9 messages that a client needs to draw the card
 * on a surface of its own, in the basic catalog only. Pure: equal hints give equal messages, so a
 * replayed card is the live one. Ids are unique and do not depend on texts.
 * @param surfaceId unique in the client; the tool call's id.
 */
export function compileUiHints(hints: UiHints, surfaceId: string): UiSchema {
  const to = new SurfaceBuilder();
  const body = to.column('body', [
    to.row('header', [
      to.icon('tone', iconOf(hints)),
      to.text('title', cardLine(hints.title) || hints.template, 'h3'),
    ]),
    to.text('subtitle', hints.subtitle, 'caption'),
    ...sections(to, hints),
    actions(to, 'actions', hints.actions),
  ]);
  to.card('root', body ?? to.divider('body'));
  return [
    { version: A2UI_VERSION, createSurface: { surfaceId, catalogId: BASIC_CATALOG_ID } },
    { version: A2UI_VERSION, updateComponents: { surfaceId, components: to.components } },
    {
      version: A2UI_VERSION,
      updateDataModel: { surfaceId, path: '/', value: { inputs: to.inputs } },
    },
  ];
}
