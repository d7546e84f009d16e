import type {
  Address,
  ContactFacts,
  ContactListing,
  ExtraFact,
  Labelled,
  NameParts,
  Phone,
} from './contact-facts.js';
import type { Contact } from './entities/contact.entity.js';
import { searchColumns } from './rules/search-keys.js';

/** The row as a list reads it. */
export function toListing(row: Contact): ContactListing {
  const { avatarUrl, avatarType } = row;
  return {
    ...shared(row),
    sortKey: row.sortKey,
    avatar:
      avatarUrl !== null
        ? { url: avatarUrl }
        : avatarType !== null
          ? { mediaType: avatarType }
          : null,
  };
}

/** The row with its large columns. */
export function toFacts(row: Contact): ContactFacts {
  const { avatarUrl, avatarType, avatarData, extra } = row;
  if (extra === undefined || avatarData === undefined) {
    throw new Error('a contact was read without its large columns');
  }
  const picture =
    avatarType !== null && avatarData !== null
      ? { mediaType: avatarType, base64: avatarData.toString('base64') }
      : null;
  return {
    ...shared(row),
    avatar: avatarUrl !== null ? { url: avatarUrl } : picture,
    extra: extra.map(extraOf),
  };
}

/** Every column of a contact, those it is found by among them. */
export function toRow(contact: ContactFacts): Contact {
  const { avatar, mergedUids, ...facts } = contact;
  return {
    ...facts,
    mergedUids,
    avatarUrl: avatar && 'url' in avatar ? avatar.url : null,
    avatarType: avatar && 'base64' in avatar ? avatar.mediaType : null,
    avatarData: avatar && 'base64' in avatar ? Buffer.from(avatar.base64, 'base64') : null,
    ...searchColumns({ ...contact, uids: [contact.uid, ...mergedUids] }),
  };
}

function shared(row: Contact): Omit<ContactFacts, 'avatar' | 'extra'> {
  return {
    id: row.id,
    ownerId: row.ownerId,
    uid: row.uid,
    mergedUids: row.mergedUids,
    name: row.name,
    nameParts: namePartsOf(row.nameParts),
    aliases: row.aliases,
    organization: row.organization,
    department: row.department,
    title: row.title,
    emails: row.emails.map(labelledOf),
    phones: row.phones.map(phoneOf),
    addresses: row.addresses.map(addressOf),
    urls: row.urls.map(labelledOf),
    groups: row.groups,
    birthday: row.birthday,
    notes: row.notes,
    version: row.version,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}

// jsonb keeps members in an order of its own; whoever lists or compares them relies on this one.

function labelledOf({ value, label }: Labelled): Labelled {
  return { value, label };
}

function phoneOf({ value, label, e164 }: Phone): Phone {
  return { value, label, e164 };
}

function addressOf({ label, street, city, region, postalCode, country }: Address): Address {
  return { label, street, city, region, postalCode, country };
}

function namePartsOf({ family, given, middle, prefix, suffix }: NameParts): NameParts {
  return { family, given, middle, prefix, suffix };
}

function extraOf({ group, name, params, value }: ExtraFact): ExtraFact {
  return { group, name, params, value };
}
