import { Type } from 'class-transformer';
import { Equals, IsArray, IsOptional, IsString, ValidateNested } from 'class-validator';
import { ContactRefView, ContactView } from './contact-view.dto.js';

/** Result of `contacts.create`. */
export class CreateContactOutput extends ContactView {
  /** Contacts that share an email, a number or the name with the new one. */
  @IsOptional()
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => ContactRefView)
  possibleDuplicates?: ContactRefView[];
}

/** One fact that changed; an absent side means that there was or is none. */
export class ContactFieldChange {
  @IsString()
  field!: string;

  @IsOptional()
  @IsString()
  before?: string;

  @IsOptional()
  @IsString()
  after?: string;
}

/** Result of `contacts.update`: the contact as it is now, and what is different. */
export class UpdateContactOutput extends ContactView {
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => ContactFieldChange)
  changes!: ContactFieldChange[];
}

/** Result of `contacts.delete`: what is gone. */
export class DeleteContactOutput extends ContactRefView {
  @Equals(true)
  deleted!: true;
}

/** Result of `contacts.merge`: the contact that stayed, and those that are gone. */
export class MergeContactsOutput extends ContactView {
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => ContactRefView)
  merged!: ContactRefView[];
}
