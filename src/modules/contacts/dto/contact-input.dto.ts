import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsInt,
  IsString,
  Max,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { AVATAR_MAX_BYTES, MERGE_MAX, NAME_MAX, NOTES_MAX, VALUE_MAX } from '../contacts.limits.js';
import { isBirthday } from '../rules/birthday.js';
import { ContactLists, RemovedEntries } from './contact-lists.dto.js';
import { ContactIdField, MayBeAbsent, TextField, TextRule } from './fields.js';

const Birthday = TextRule(
  'isBirthday',
  (value) => value === '' || isBirthday(value),
  'must be a date YYYY-MM-DD, or --MM-DD without the year',
);
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
