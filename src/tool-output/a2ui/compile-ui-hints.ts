import type { Locale } from '../../common/locale.js';
import type { UiSchema } from '../../events/run-event.js';
import {
  CARD_ROWS,
  type UiAction,
  type UiField,
  type UiHints,
  type UiItem,
  type UiSection,
  type UiTone,
} from '../ui-hints.js';
import { cardLine } from './card-line.js';
import { readUiHints } from './read-ui-hints.js';
import { A2UI_VERSION, BASIC_CATALOG_ID, SurfaceBuilder } from './surface-builder.js';

/** Bytes of a whole card, whatever the data: it goes into events and pages of history. */
export const MAX_CARD_BYTES = 64 * 1024;

/** Kept free of rows: messages around the components, lists of ids, the note. */
const RESERVED_BYTES = 6 * 1024;

/** Longest texts, in UTF-16 units. */
const TEXT_MAX = { title: 200, subtitle: 240, label: 80, badge: 40 } as const;

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
    to.text(`${id}-label`, label, 'caption', TEXT_MAX.label),
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
  const badges = (row.badges ?? [])
    .map((badge) => cardLine(badge, TEXT_MAX.badge))
    .filter((badge) => badge !== '')
    .slice(0, MAX_BADGES);
  return to.column(id, [
    to.row(`${id}-head`, [
      to.text(`${id}-title`, row.title, 'body', TEXT_MAX.title),
      to.text(`${id}-badges`, badges.join(' · '), 'caption'),
    ]),
    to.text(`${id}-subtitle`, row.subtitle, 'caption', TEXT_MAX.subtitle),
    actions(to, `${id}-actions`, row.actions),
  ]);
}

function moreNote(hidden: number, locale: Locale): string {
  if (locale === 'zh-CN') return `还有 ${hidden} 项未显示`;
  return hidden === 1 ? '1 more is not shown' : `${hidden} more are not shown`;
}

/** Draws the sections into what is left of the card, and counts what found no room. */
class SectionDrawer {
  private rows = 0;
  private hidden = 0;

  constructor(
    private readonly to: SurfaceBuilder,
    private readonly max: number,
  ) {}

  /** The sections with dividers between them, and a note for the rows that found no room. */
  all(hints: UiHints): (string | null)[] {
    const { to } = this;
    const ids: (string | null)[] = [];
    for (const [n, part] of hints.sections.entries()) {
      const id = this.section(`section-${n}`, part, n < MAX_SECTIONS);
      if (id === null) continue;
      if (ids.length > 0) ids.push(to.divider(`divider-${n}`));
      ids.push(id);
    }
    if (this.hidden > 0) ids.push(to.text('more', moreNote(this.hidden, hints.locale), 'caption'));
    if (ids.length === 0) ids.push(to.text('empty', hints.emptyText, 'caption'));
    return ids;
  }

  private section(id: string, part: UiSection, room: boolean): string | null {
    const fields = (part.fields ?? []).map((entry, n) =>
      this.entry(room && n < MAX_FIELDS, () => field(this.to, `${id}-field-${n}`, entry)),
    );
    const items = (part.items ?? []).map((entry, n) => {
      const shown = this.entry(room && this.rows < CARD_ROWS, () =>
        item(this.to, `${id}-item-${n}`, entry),
      );
      if (shown !== null) this.rows++;
      return shown;
    });
    const rows = [...fields, ...items];
    // A heading whose rows found no room would say that there are none.
    const isEmpty = rows.length > 0 && rows.every((row) => row === null);
    if (!room || isEmpty) return null;
    const heading = this.entry(true, () =>
      this.to.text(`${id}-heading`, part.heading, 'h5', TEXT_MAX.title),
    );
    return this.to.column(id, [heading, ...rows]);
  }

  /** One field, row or heading; null when it is empty or finds no room. */
  private entry(room: boolean, draw: () => string | null): string | null {
    let id: string | null = null;
    const fits =
      room &&
      this.to.fits(this.max, () => {
        id = draw();
      });
    if (fits) return id;
    this.hidden++;
    return null;
  }
}

/**
 * The codec (PROTOCOL §8): ui_hints to the A2UI v0.9 messages that a client needs to draw the card
 * on a surface of its own, in the basic catalog only. Pure: equal hints give equal messages, so a
 * replayed card is the live one. Ids are unique and do not depend on texts.
 * Its size is bounded, see `MAX_CARD_BYTES`, for a surface id of usual length.
 * @param stored hints of this or an older version.
 * @param surfaceId unique in the client; the tool call's id.
 * @throws Error for what cannot be read as hints: see `readUiHints`.
 */
export function compileUiHints(stored: unknown, surfaceId: string): UiSchema {
  const hints = readUiHints(stored);
  const to = new SurfaceBuilder();
  const header = to.row('header', [
    to.icon('tone', iconOf(hints)),
    to.text('title', cardLine(hints.title) || hints.template, 'h3', TEXT_MAX.title),
  ]);
  const subtitle = to.text('subtitle', hints.subtitle, 'caption', TEXT_MAX.subtitle);
  // Before the sections, which take what is left.
  const buttons = actions(to, 'actions', hints.actions);
  const rows = new SectionDrawer(to, MAX_CARD_BYTES - RESERVED_BYTES).all(hints);
  const body = to.column('body', [header, subtitle, ...rows, buttons]);
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
