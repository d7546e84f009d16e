import { Type } from 'class-transformer';
import {
  IsArray,
  ArrayMaxSize,
  ArrayMinSize,
  IsEmail,
  IsInt,
  IsString,
  Max,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import {
  AVATAR_MAX_BYTES,
  LABEL_MAX,
  LIST_MAX,
  MERGE_MAX,
  NAME_MAX,
  NOTES_MAX,
  VALUE_MAX,
} from '../contacts.limits.js';
import { isWebAddress } from '../rules/avatar.js';
import { isBirthday } from '../rules/birthday.js';
import {
  ContactIdField,
  EntriesField,
  MayBeAbsent,
  TextField,
  TextRule,
  TextsField,
} from './fields.js';

const Birthday = TextRule(
  'isBirthday',
  (value) => value === '' || isBirthday(value),
  'must be a date YYYY-MM-DD, or --MM-DD without the year',
);
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

/** Every field of a contact. */
export class ContactFields extends ContactLists {
  @MayBeAbsent()
  @TextField({ max: NAME_MAX, description: 'The whole name as it is shown: Amy Chen, 王小明.' })
  name?: string;

  @MayBeAbsent()
  @TextField({ max: NAME_MAX, description: 'Surname.' })
  family_name?: string;

  @MayBeAbsent()
  @TextField({ max: NAME_MAX })
  given_name?: string;

  @MayBeAbsent()
  @TextField({ max: NAME_MAX })
  middle_name?: string;

  @MayBeAbsent()
  @TextField({ max: NAME_MAX, description: 'Dr., Prof.' })
  name_prefix?: string;

  @MayBeAbsent()
  @TextField({ max: NAME_MAX, description: 'Jr., PhD.' })
  name_suffix?: string;

  @MayBeAbsent()
  @TextField({ max: VALUE_MAX, description: 'Company or other organization.' })
  organization?: string;

  @MayBeAbsent()
  @TextField({ max: VALUE_MAX })
  department?: string;

  @MayBeAbsent()
  @TextField({ max: VALUE_MAX, description: 'Job title: 总经理, Engineer.' })
  title?: string;

  @MayBeAbsent()
  @TextField({ max: 10, description: 'YYYY-MM-DD, or --MM-DD when the year is not known.' })
  @Birthday(false)
  birthday?: string;

  @MayBeAbsent()
  @TextField({ max: NOTES_MAX })
  notes?: string;

  @MayBeAbsent()
  @IsString()
  @MaxLength(Math.ceil(AVATAR_MAX_BYTES * 1.4))
  @JSONSchema({
    type: 'string',
    description: `Picture: an http(s) address, which is not fetched, or a data:image/…;base64 URI of at most ${AVATAR_MAX_BYTES} bytes.`,
  })
  avatar?: string;
}

/** Input of `contacts.create`. */
export class CreateContactInput extends ContactFields {}

/** What may change in a contact; body of the REST PATCH. */
export class ContactChanges extends ContactFields {
  @MayBeAbsent()
  @ValidateNested()
  @Type(() => ContactLists)
  @JSONSchema({ description: 'Entries to add to the lists.' })
  add?: ContactLists;

  @MayBeAbsent()
  @ValidateNested()
  @Type(() => RemovedEntries)
  @JSONSchema({ description: 'Entries to take out of the lists.' })
  remove?: RemovedEntries;

  @MayBeAbsent()
  @IsInt()
  @Min(1)
  @Max(2_147_483_647)
  @JSONSchema({
    description: 'Version that the change is based on; CONFLICT when the contact has another.',
  })
  expected_version?: number;
}

/** Input of `contacts.update`. */
export class UpdateContactInput extends ContactChanges {
  @ContactIdField()
  contact_id!: string;
}

/** Names one contact. */
export class ContactIdInput {
  @ContactIdField()
  contact_id!: string;
}

/** Input of `contacts.delete`. */
export class DeleteContactInput extends ContactIdInput {
  @MayBeAbsent()
  @IsInt()
  @Min(1)
  @Max(2_147_483_647)
  @JSONSchema({ description: 'CONFLICT when the contact has another version.' })
  expected_version?: number;
}

/** Body of the REST merge. */
export class MergeContactsBody {
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MERGE_MAX)
  @IsString({ each: true })
  @MaxLength(64, { each: true })
  @JSONSchema({
    description: `Contacts to merge into it, at most ${MERGE_MAX}; they are then gone.`,
  })
  other_ids!: string[];

  @MayBeAbsent()
  @IsInt()
  @Min(1)
  @Max(2_147_483_647)
  @JSONSchema({ description: 'CONFLICT when the contact that stays has another version.' })
  expected_version?: number;
}

/** Input of `contacts.merge`. */
export class MergeContactsInput extends MergeContactsBody {
  @TextField({ min: 1, max: 64, description: 'The contact that stays; its fields go first.' })
  contact_id!: string;
}
