import type { IcalProperty } from './ical-property.js';

/** The text of a property; '' when it is absent. */
export function textOf(property: IcalProperty | undefined): string {
  const value = property?.values[0];
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}

/** At most `max` UTF-16 units, an ellipsis at the end where something was cut, no character split. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  let kept = '';
  for (const character of text) {
    if (kept.length + character.length > max - 1) break;
    kept += character;
  }
  return `${kept}…`;
}
