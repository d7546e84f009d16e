import { dateText } from '../../../common/day-text.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../common/json.js';
import type { UiContext, UiField } from '../../../tool-output/ui-hints.js';
import { textsOf } from './card-texts.js';

/** A member that is a text with something in it. */
export function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The objects of a list; empty for anything else. */
export function objectsOf(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

function textsIn(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.flatMap((entry) => textOf(entry) ?? []) : [];
}

/** `Engineer · Acme`, whatever of it there is. */
function jobOf(contact: JsonObject): string | undefined {
  const parts = [textOf(contact.title), textOf(contact.department), textOf(contact.organization)];
  return parts.filter((part) => part !== undefined).join(' · ') || undefined;
}

/** What tells a contact from its namesakes: job, first email, first number. */
export function contactLine(contact: JsonObject): string {
  const [email] = objectsOf(contact.emails);
  const [phone] = objectsOf(contact.phones);
  return [jobOf(contact), textOf(email?.value), textOf(phone?.value)]
    .filter((part) => part !== undefined)
    .join(' · ');
}

/** Groups, and whether it is a user of the system. */
export function badgesOf(contact: JsonObject, context: UiContext): string[] {
  const user = isJsonObject(contact.user) ? [textsOf(context.locale).isUser] : [];
  return [...user, ...textsIn(contact.groups)].slice(0, 4);
}

/** The labelled facts of a contact, those that it has. */
export function contactFields(contact: JsonObject, context: UiContext): UiField[] {
  const texts = textsOf(context.locale);
  const labelled = (name: string, entry: JsonObject, value: string | undefined): UiField[] => {
    const label = textOf(entry.label);
    const shown =
      label === undefined
        ? ''
        : label
            .split(', ')
            .map((part) => texts.labels[part] ?? part)
            .join(texts.comma);
    if (value === undefined) return [];
    return [{ label: shown ? `${name} · ${shown}` : name, value }];
  };
  const field = (label: string, value: string | undefined): UiField[] =>
    value === undefined ? [] : [{ label, value }];
  const listed = (values: string[]): string | undefined => values.join(texts.comma) || undefined;
  const user = isJsonObject(contact.user) ? contact.user : {};
  return [
    ...field(texts.organization, jobOf(contact)),
    ...field(texts.aliases, listed(textsIn(contact.aliases))),
    ...objectsOf(contact.phones).flatMap((one) => labelled(texts.phone, one, textOf(one.value))),
    ...objectsOf(contact.emails).flatMap((one) => labelled(texts.email, one, textOf(one.value))),
    ...objectsOf(contact.addresses).flatMap((one) =>
      labelled(texts.address, one, addressText(one)),
    ),
    ...objectsOf(contact.urls).flatMap((one) => labelled(texts.url, one, textOf(one.value))),
    ...field(texts.birthday, birthdayText(textOf(contact.birthday), context)),
    ...field(texts.groups, listed(textsIn(contact.groups))),
    ...field(texts.user, textOf(user.name) ?? textOf(user.email)),
    ...field(texts.notes, textOf(contact.notes)),
  ];
}

function addressText(address: JsonObject): string | undefined {
  const { street, city, region, postalCode, country } = address;
  const lines = [street, city, region, postalCode, country].flatMap((line) => textOf(line) ?? []);
  return lines.join(', ') || undefined;
}

function birthdayText(birthday: string | undefined, context: UiContext): string | undefined {
  const [, month, day] = /^--(\d\d)-(\d\d)$/.exec(birthday ?? '') ?? [];
  const full =
    /^\d{4}-\d\d-\d\d$/.test(birthday ?? '') && !Number.isNaN(Date.parse(birthday ?? ''));
  if (full && birthday !== undefined) return dateText(birthday, context);
  if (month === undefined || day === undefined) return birthday;
  return textsOf(context.locale).yearless(Number(month), Number(day));
}
