import type { Address } from '../contact-facts.js';
import { tidyLine, tidyText } from '../rules/tidy.js';
import { paramOf, type ContentLine } from './content-lines.js';
import { splitValue, unescapeText } from './escaping.js';
import { VcardError } from './vcard-error.js';

/** Parameter of an N that only repeats the name, for readers that ask for one. */
export const DERIVED = 'X-DERIVED';

/** ADR: post office box and extension join the street. @throws VcardError */
export function readAddress(property: ContentLine, max: number): Address {
  const [box, extension, street, city, region, postalCode, country] = splitValue(
    property.value,
    ';',
  ).map(unescapeText);
  const lines = [box, extension, street].flatMap((line) => tidyText(line)?.trim() ?? []);
  const address: Address = {
    label: null,
    street: lines.join('\n') || null,
    city: tidyLine(city),
    region: tidyLine(region),
    postalCode: tidyLine(postalCode),
    country: tidyLine(country),
  };
  const written = paramOf(property, 'LABEL');
  if (Object.values(address).every((part) => part === null) && written) address.street = written;
  if (Object.values(address).some((part) => (part?.length ?? 0) > max)) {
    throw new VcardError(property.line, `has a value longer than ${max} characters.`, true);
  }
  return address;
}

/** The value without `tel:` or `mailto:`. */
export function withoutScheme(property: ContentLine, text: string): string {
  const scheme = { TEL: /^tel:/i, EMAIL: /^mailto:/i }[property.name];
  if (!scheme?.test(text.trim())) return text;
  const plain = text.trim().replace(scheme, '');
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
}
