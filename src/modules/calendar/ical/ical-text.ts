import type { IcalProperty } from './ical-property.js';

/** The text of a property; '' when it is absent. */
export function textOf(property: IcalProperty | undefined): string {
  const value = property?.values[0];
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}
