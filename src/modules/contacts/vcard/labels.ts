import type { ContentLine } from './content-lines.js';

/** TYPE values that vCard knows; labels made of these are written as types, others as X-ABLabel. */
const TYPES = new Set(
  'home work cell fax pager video text textphone msg car isdn bbs modem pcs dom intl postal parcel main other'.split(
    ' ',
  ),
);

/** TYPE values that say nothing about a value. */
const SILENT = new Set(['internet', 'voice', 'pref', 'x400', 'uri']);

/** What a property's types say: `home, fax`; null for nothing. */
export function labelOfTypes(property: ContentLine): string | null {
  const types = property.params
    .filter(([name]) => name === 'TYPE')
    .flatMap(([, values]) => values)
    .flatMap((value) => value.split(','))
    .map((value) => value.trim().toLowerCase())
    .filter((value) => value !== '' && !SILENT.has(value));
  return types.length > 0 ? [...new Set(types)].join(', ') : null;
}

/** The label that an X-ABLabel gives; Apple wraps its own words as `_$!<Home>!$_`. */
export function labelOfText(text: string): string {
  const [, word] = /^_\$!<(.+)>!\$_$/.exec(text) ?? [];
  return word ? word.toLowerCase() : text;
}

/** The types that a label is, or null when it is a word of its owner. */
export function typesOfLabel(label: string): string[] | null {
  const types = label.split(', ');
  const unique = new Set(types).size === types.length;
  return unique && types.every((type) => TYPES.has(type)) ? types : null;
}

/** Whether the property is preferred (4.0 `PREF=1`, 3.0 `TYPE=pref`). */
export function isPreferred(property: ContentLine): boolean {
  return property.params.some(
    ([name, values]) =>
      name === 'PREF' ||
      (name === 'TYPE' && values.some((value) => value.toLowerCase().split(',').includes('pref'))),
  );
}
