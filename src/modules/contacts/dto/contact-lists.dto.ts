import { IsEmail, MaxLength } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { LABEL_MAX, LIST_MAX, NAME_MAX, VALUE_MAX } from '../contacts.limits.js';
import { isWebAddress } from '../rules/avatar.js';
import { EntriesField, MayBeAbsent, TextField, TextRule, TextsField } from './fields.js';

const WebAddress = TextRule('isWebAddress', isWebAddress, 'must be an http(s) address');

const LABEL = `What it is called: work, home, cell, or a word of the user's.`;

export class EmailInput {
  @IsEmail()
  @MaxLength(254)
  @JSONSchema({ type: 'string', format: 'email' })
  value!: string;

  @MayBeAbsent()
  @TextField({ max: LABEL_MAX, description: LABEL })
  label?: string;
}

export class PhoneInput {
  @TextField({ min: 1, max: 60, description: 'The number in any notation; it is kept as written.' })
  value!: string;

  @MayBeAbsent()
  @TextField({ max: LABEL_MAX, description: LABEL })
  label?: string;
}

export class UrlInput {
  @TextField({ min: 1, max: VALUE_MAX })
  @WebAddress(false)
  value!: string;

  @MayBeAbsent()
  @TextField({ max: LABEL_MAX, description: LABEL })
  label?: string;
}

export class AddressInput {
  @MayBeAbsent()
  @TextField({ max: LABEL_MAX, description: LABEL })
  label?: string;

  @MayBeAbsent()
  @TextField({ max: VALUE_MAX, description: 'Street and house; or the whole address.' })
  street?: string;

  @MayBeAbsent()
  @TextField({ max: VALUE_MAX })
  city?: string;

  @MayBeAbsent()
  @TextField({ max: VALUE_MAX, description: 'State or province.' })
  region?: string;

  @MayBeAbsent()
  @TextField({ max: VALUE_MAX })
  postal_code?: string;

  @MayBeAbsent()
  @TextField({ max: VALUE_MAX })
  country?: string;
}

const valueOf =
  <T extends { value: string }>(type: new () => T) =>
  (value: string): T =>
    Object.assign(new type(), { value });

const addressOf = (street: string): AddressInput => Object.assign(new AddressInput(), { street });

/** The lists of a contact. */
export class ContactLists {
  @MayBeAbsent()
  @EntriesField(EmailInput, valueOf(EmailInput), {
    count: LIST_MAX,
    description:
      'Emails: {value, label}, or the email alone. A user of the system is recognised by them.',
  })
  emails?: EmailInput[];

  @MayBeAbsent()
  @EntriesField(PhoneInput, valueOf(PhoneInput), {
    count: LIST_MAX,
    description: 'Telephone numbers: {value, label}, or the number alone.',
  })
  phones?: PhoneInput[];

  @MayBeAbsent()
  @EntriesField(AddressInput, addressOf, {
    count: LIST_MAX,
    description:
      'Postal addresses: {street, city, region, postal_code, country, label}, or one text.',
  })
  addresses?: AddressInput[];

  @MayBeAbsent()
  @EntriesField(UrlInput, valueOf(UrlInput), {
    count: LIST_MAX,
    description: 'Web pages: {value, label}, or the address alone.',
  })
  urls?: UrlInput[];

  @MayBeAbsent()
  @TextsField({
    count: LIST_MAX,
    max: NAME_MAX,
    description: 'Nicknames and other names: 老王, 妈妈.',
  })
  aliases?: string[];

  @MayBeAbsent()
  @TextsField({ count: LIST_MAX, max: LABEL_MAX, description: 'Groups: family, customers.' })
  groups?: string[];
}

/** Entries to take out of the lists, each as it stands there. */
export class RemovedEntries {
  @MayBeAbsent()
  @TextsField({ count: LIST_MAX, max: 254, description: 'Emails.' })
  emails?: string[];

  @MayBeAbsent()
  @TextsField({ count: LIST_MAX, max: VALUE_MAX, description: 'Numbers, in any notation.' })
  phones?: string[];

  @MayBeAbsent()
  @TextsField({ count: LIST_MAX, max: VALUE_MAX, description: 'Web pages.' })
  urls?: string[];

  @MayBeAbsent()
  @TextsField({ count: LIST_MAX, max: NAME_MAX, description: 'Aliases.' })
  aliases?: string[];

  @MayBeAbsent()
  @TextsField({ count: LIST_MAX, max: LABEL_MAX, description: 'Groups.' })
  groups?: string[];
}
