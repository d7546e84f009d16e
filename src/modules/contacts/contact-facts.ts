/** A value with what its owner calls it: `work`, `home, fax`, `妈妈家`. */
export interface Labelled {
  value: string;
  label: string | null;
}

/** A telephone number as typed; `e164` when it is a valid number of a known country. */
export interface Phone extends Labelled {
  e164: string | null;
}

export interface Address {
  label: string | null;
  street: string | null;
  city: string | null;
  region: string | null;
  postalCode: string | null;
  country: string | null;
}

/** Components of a person's name (vCard N). */
export interface NameParts {
  family: string | null;
  given: string | null;
  middle: string | null;
  prefix: string | null;
  suffix: string | null;
}

/** A picture: an address that nobody here fetches, or the bytes themselves in base64. */
export type Avatar = { url: string } | { mediaType: string; base64: string };

/**
 * A fact that the address book has no field for, as a vCard property: what an import brought along,
 * and what a merge could not put elsewhere. `value` is the raw (escaped) text of the content line;
 * binary is a `data:` URI.
 */
export interface ExtraFact {
  group: string | null;
  name: string;
  params: [string, string[]][];
  value: string;
}

/** What is known of a person or an organization, whoever owns the entry. */
export interface ContactContent {
  name: string;
  nameParts: NameParts;
  aliases: string[];
  organization: string | null;
  department: string | null;
  title: string | null;
  emails: Labelled[];
  phones: Phone[];
  addresses: Address[];
  urls: Labelled[];
  groups: string[];
  /** `YYYY-MM-DD`, or `--MM-DD` when the year is not known. */
  birthday: string | null;
  notes: string | null;
  avatar: Avatar | null;
  extra: ExtraFact[];
}

export interface ContactFacts extends ContactContent {
  id: string;
  ownerId: string;
  /** Identity across address books (vCard UID); those of contacts merged into this one stay known. */
  uid: string;
  mergedUids: string[];
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

export const NO_NAME_PARTS: NameParts = {
  family: null,
  given: null,
  middle: null,
  prefix: null,
  suffix: null,
};

/** By what a person is recognised. */
export type Nameable = Pick<
  ContactContent,
  'name' | 'nameParts' | 'aliases' | 'organization' | 'title' | 'emails' | 'phones'
>;

/** A contact as lists know it: that there is a picture, not its bytes; no extra facts. */
export interface ContactListing extends Omit<ContactFacts, 'avatar' | 'extra'> {
  avatar: { url: string } | { mediaType: string } | null;
  sortKey: string;
}
