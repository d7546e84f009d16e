import type { Address, ContactContent, Labelled, Phone } from '../contact-facts.js';
import { fold } from './fold.js';

// Everything that is no text: controls but tab and line ends.
// oxlint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g;

/** One line of text: blanks and line ends fold; null when nothing is left. */
export function tidyLine(text: string | null | undefined): string | null {
  return text?.replace(CONTROLS, ' ').replace(/\s+/gu, ' ').trim() || null;
}

/** Text of several lines, which end with `\n`; null when it is blank. */
export function tidyText(text: string | null | undefined): string | null {
  const plain = text?.replace(CONTROLS, ' ').replace(/\r\n|\r/g, '\n');
  return plain && plain.trim() !== '' ? plain : null;
}

export function tidyLines(list: string[]): string[] {
  return unique(
    list.flatMap((text) => tidyLine(text) ?? []),
    (text) => text,
  );
}

export function tidyEmails(list: Labelled[]): Labelled[] {
  return unique(list.flatMap(tidyLabelled), ({ value }) => fold(value));
}

export function tidyUrls(list: Labelled[]): Labelled[] {
  return unique(list.flatMap(tidyLabelled), ({ value }) => value);
}

/** @param toE164 the number's normal form, or null. */
export function tidyPhones(list: Labelled[], toE164: (text: string) => string | null): Phone[] {
  const phones = list
    .flatMap(tidyLabelled)
    .map((phone): Phone => ({ ...phone, e164: toE164(phone.value) }));
  return unique(phones, ({ e164, value }) => e164 ?? value);
}

export function tidyAddresses(list: Address[]): Address[] {
  const addresses = list.map((address): Address => {
    const { label, street, city, region, postalCode, country } = address;
    return {
      label: tidyLine(label),
      street: tidyText(street)?.trim() ?? null,
      city: tidyLine(city),
      region: tidyLine(region),
      postalCode: tidyLine(postalCode),
      country: tidyLine(country),
    };
  });
  return unique(
    addresses.filter(({ label: _label, ...lines }) => Object.values(lines).some(Boolean)),
    (address) => JSON.stringify(address),
  );
}

/** Without aliases that are the name itself. */
export function tidyAliases(content: Pick<ContactContent, 'name' | 'aliases'>): string[] {
  return tidyLines(content.aliases).filter((alias) => alias !== content.name);
}

function tidyLabelled({ value, label }: Labelled): Labelled[] {
  const text = tidyLine(value);
  return text === null ? [] : [{ value: text, label: tidyLine(label) }];
}

function unique<T>(list: T[], key: (value: T) => string): T[] {
  const known = new Set<string>();
  return list.filter((value) => {
    const name = key(value);
    if (known.has(name)) return false;
    known.add(name);
    return true;
  });
}
