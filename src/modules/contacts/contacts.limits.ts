/** Bounds of the address book; text lengths are characters unless they say bytes. */
export const CONTACTS_MAX = 50_000;
export const NAME_MAX = 200;
export const VALUE_MAX = 500;
export const LABEL_MAX = 60;
export const NOTES_MAX = 10_000;
export const QUERY_MAX = 200;
/** Emails, phones, addresses, URLs, aliases and groups of one contact, each. */
export const LIST_MAX = 50;
export const PAGE_DEFAULT = 50;
export const PAGE_MAX = 200;
export const MERGE_MAX = 20;
export const AVATAR_URL_MAX = 2048;
/** Bytes of a picture kept inside the contact; larger ones belong on a web server. */
export const AVATAR_MAX_BYTES = 256 * 1024;
/** Facts that only a vCard can hold (`extra`): how many, and characters of them together. */
export const EXTRA_MAX = 100;
export const EXTRA_MAX_LENGTH = 512 * 1024;
/** Candidates that an ambiguous `resolve` names. */
export const CANDIDATES_MAX = 10;
/** Groups of duplicates on a page. */
export const DUPLICATE_GROUPS_MAX = 50;
/** A vCard file: bytes and cards. */
export const IMPORT_MAX_BYTES = 8 * 1024 * 1024;
export const IMPORT_MAX_CARDS = 5_000;
/** Cards that one call of `contacts.export` writes. */
export const EXPORT_PAGE_MAX = 200;
