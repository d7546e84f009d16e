import { isJsonObject, type JsonObject } from '../../common/json.js';
import { toLocale } from '../../common/locale.js';
import type { UiAction, UiField, UiHints, UiItem, UiSection, UiTone } from '../ui-hints.js';

const TONES: readonly UiTone[] = ['neutral', 'positive', 'warning', 'negative'];
const STYLES: readonly UiAction['style'][] = ['primary', 'secondary', 'danger'];

const text = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';

const optional = <K extends string>(key: K, value: unknown): Partial<Record<K, string>> => {
  const read: Partial<Record<K, string>> = {};
  if (text(value) !== '') read[key] = text(value);
  return read;
};

const objects = (value: unknown): JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : [];

/** A button that does not say what to call is none. */
function action(stored: JsonObject): UiAction[] {
  const { label, module, method, input } = stored;
  if (typeof module !== 'string' || typeof method !== 'string') return [];
  const style = STYLES.find((known) => known === stored.style) ?? 'secondary';
  return [{ label: text(label), style, module, method, input: isJsonObject(input) ? input : {} }];
}

const actions = (value: unknown): UiAction[] => objects(value).flatMap(action);

const field = (stored: JsonObject): UiField => ({
  label: text(stored.label),
  value: text(stored.value),
  ...optional('before', stored.before),
});

const item = (stored: JsonObject): UiItem => ({
  ...optional('id', stored.id),
  title: text(stored.title),
  ...optional('subtitle', stored.subtitle),
  badges: Array.isArray(stored.badges) ? stored.badges.map(text) : [],
  actions: actions(stored.actions),
});

const section = (stored: JsonObject): UiSection => ({
  ...optional('heading', stored.heading),
  fields: objects(stored.fields).map(field),
  items: objects(stored.items).map(item),
});

function readVersion1(stored: JsonObject): UiHints {
  const { template, sections } = stored;
  if (typeof template !== 'string' || !Array.isArray(sections)) {
    throw new Error('The hints name no template or have no sections.');
  }
  return {
    version: 1,
    template,
    locale: toLocale(text(stored.locale)),
    timezone: text(stored.timezone),
    title: text(stored.title),
    tone: TONES.find((known) => known === stored.tone) ?? 'neutral',
    ...optional('subtitle', stored.subtitle),
    sections: objects(sections).map(section),
    actions: actions(stored.actions),
    ...optional('emptyText', stored.emptyText),
  };
}

/**
 * How each version that was ever stored becomes hints of today. One is added with every new
 * UI_HINTS_VERSION and none is taken away: records keep their hints as they were written.
 */
const READERS: ReadonlyMap<unknown, (stored: JsonObject) => UiHints> = new Map([[1, readVersion1]]);

/**
 * Stored hints as hints of today's format. Missing and null members are left out.
 * @throws Error for what is no hints at all, and for a version that is not known here (a newer
 *   replica wrote it): there is no card then, and nothing else fails.
 */
export function readUiHints(stored: unknown): UiHints {
  if (!isJsonObject(stored)) throw new Error('The hints are no object.');
  const reader = READERS.get(stored.version);
  if (!reader) throw new Error('The version of the hints is not known.');
  return reader(stored);
}
