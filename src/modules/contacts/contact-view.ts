import { createHash } from 'node:crypto';
import type {
  Address,
  Avatar,
  ContactFacts,
  ContactListing,
  ExtraFact,
  Labelled,
} from './contact-facts.js';
import type { KnownPerson } from './contacts.people.js';
import type { AddressView, LabelledView } from './dto/contact-parts.dto.js';
import type { ContactView } from './dto/contact-view.dto.js';
import type { ContactFieldChange } from './dto/write-output.dto.js';
import { head } from './rules/fold.js';
import { unescapeText } from './vcard/escaping.js';

const EXTRA_SHOWN = 200;

/** The members that are known; absent ones are absent, not null. */
function known<T extends Record<string, unknown>>(
  facts: T,
): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(
    Object.entries(facts).filter(([, value]) => value !== null && value !== undefined),
  ) as { [K in keyof T]?: NonNullable<T[K]> };
}

/** A contact as lists show it: without notes and extra facts. */
export function toContactView(
  contact: ContactListing | ContactFacts,
  user: KnownPerson | undefined,
): ContactView {
  const { nameParts: parts } = contact;
  return {
    id: contact.id,
    name: contact.name,
    ...known({
      familyName: parts.family,
      givenName: parts.given,
      middleName: parts.middle,
      namePrefix: parts.prefix,
      nameSuffix: parts.suffix,
      organization: contact.organization,
      department: contact.department,
      title: contact.title,
      birthday: contact.birthday,
    }),
    aliases: contact.aliases,
    emails: contact.emails.map(toLabelledView),
    phones: contact.phones.map((phone) => ({
      ...toLabelledView(phone),
      ...known({ e164: phone.e164 }),
    })),
    addresses: contact.addresses.map(toAddressView),
    urls: contact.urls.map(toLabelledView),
    groups: contact.groups,
    ...(contact.avatar
      ? {
          avatar:
            'url' in contact.avatar
              ? { url: contact.avatar.url }
              : { mediaType: contact.avatar.mediaType },
        }
      : {}),
    ...(user ? { user: { id: user.id, email: user.email, name: user.displayName } } : {}),
    version: contact.version,
    createdAt: contact.createdAt.toISOString(),
    updatedAt: contact.updatedAt.toISOString(),
  };
}

/** Everything about a contact. */
export function toFullView(contact: ContactFacts, user: KnownPerson | undefined): ContactView {
  return {
    ...toContactView(contact, user),
    ...known({ notes: contact.notes }),
    ...(contact.extra.length > 0 ? { more: contact.extra.map(toExtraView) } : {}),
  };
}

/** What is different between two states of one contact, in the order of the fields. */
export function changesBetween(before: ContactFacts, after: ContactFacts): ContactFieldChange[] {
  const earlier = textsOf(before);
  const later = textsOf(after);
  return Object.keys(later).flatMap((field) => {
    const [was, is] = [earlier[field], later[field]];
    if (was === is) return [];
    return [{ field, ...(was ? { before: was } : {}), ...(is ? { after: is } : {}) }];
  });
}

function textsOf(contact: ContactFacts): Record<string, string> {
  const { nameParts: parts, avatar } = contact;
  const labelled = (list: Labelled[]): string =>
    list.map(({ value, label }) => (label ? `${value} (${label})` : value)).join(', ');
  return {
    name: contact.name,
    familyName: parts.family ?? '',
    givenName: parts.given ?? '',
    middleName: parts.middle ?? '',
    namePrefix: parts.prefix ?? '',
    nameSuffix: parts.suffix ?? '',
    aliases: contact.aliases.join(', '),
    organization: contact.organization ?? '',
    department: contact.department ?? '',
    title: contact.title ?? '',
    emails: labelled(contact.emails),
    phones: labelled(contact.phones),
    addresses: contact.addresses.map(addressText).join('; '),
    urls: labelled(contact.urls),
    groups: contact.groups.join(', '),
    birthday: contact.birthday ?? '',
    notes: contact.notes ?? '',
    avatar: avatar ? avatarFact(avatar) : '',
    ...(contact.extra.length > 0 ? { more: JSON.stringify(contact.extra.map(toExtraView)) } : {}),
  };
}

/** Bytes are told apart by their fingerprint: pictures of one camera begin alike. */
function avatarFact(avatar: Avatar): string {
  if ('url' in avatar) return avatar.url;
  const fingerprint = createHash('sha256').update(avatar.base64).digest('hex').slice(0, 12);
  return `${avatar.mediaType} ${fingerprint}`;
}

function addressText({ label, ...lines }: Address): string {
  const text = Object.values(lines)
    .filter((line) => line)
    .join(', ');
  return label ? `${text} (${label})` : text;
}

function toLabelledView({ value, label }: Labelled): LabelledView {
  return { value, ...known({ label }) };
}

function toAddressView(address: Address): AddressView {
  return known({ ...address });
}

function toExtraView({ name, value }: ExtraFact): { name: string; value: string } {
  const [, media] = /^data:([^;,]+)[;,]/.exec(value) ?? [];
  return { name, value: media ? `(${media})` : head(unescapeText(value), EXTRA_SHOWN) };
}
