/** A user of the system, as far as an address book needs to know one. */
export interface KnownPerson {
  id: string;
  email: string;
  displayName: string;
}

/**
 * Who among some emails is a user of the system: a port, because accounts belong to another module.
 * Unknown and disabled users are absent from the answer; each call is one query.
 */
export interface ContactsPeople {
  /** @param emails in lower case. */
  findByEmails(emails: string[]): Promise<KnownPerson[]>;
}

/** Injection token of ContactsPeople; the composition root binds it. */
export const CONTACTS_PEOPLE = Symbol('CONTACTS_PEOPLE');
