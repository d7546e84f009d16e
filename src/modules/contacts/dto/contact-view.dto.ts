import { Type } from 'class-transformer';
import {
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';
import { DUPLICATE_REASONS, type DuplicateReason } from '../rules/duplicates.js';
import { MATCH_KINDS, type MatchKind } from '../rules/match.js';
import {
  AddressView,
  AvatarView,
  ContactUserView,
  ExtraFactView,
  LabelledView,
  PhoneView,
} from './contact-parts.dto.js';

/** Enough to tell contacts apart. */
export class ContactRefView {
  @IsString()
  id!: string;

  @IsString()
  name!: string;
}

/** A contact. Absent members are not known; `notes` and `more` stand in mode contact alone. */
export class ContactView extends ContactRefView {
  @IsOptional()
  @IsString()
  familyName?: string;

  @IsOptional()
  @IsString()
  givenName?: string;

  @IsOptional()
  @IsString()
  middleName?: string;

  @IsOptional()
  @IsString()
  namePrefix?: string;

  @IsOptional()
  @IsString()
  nameSuffix?: string;

  @IsArray()
  @IsString({ each: true })
  aliases!: string[];

  @IsOptional()
  @IsString()
  organization?: string;

  @IsOptional()
  @IsString()
  department?: string;

  @IsOptional()
  @IsString()
  title?: string;

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => LabelledView)
  emails!: LabelledView[];

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => PhoneView)
  phones!: PhoneView[];

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => AddressView)
  addresses!: AddressView[];

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => LabelledView)
  urls!: LabelledView[];

  @IsArray()
  @IsString({ each: true })
  groups!: string[];

  /** `YYYY-MM-DD` or `--MM-DD`. */
  @IsOptional()
  @IsString()
  birthday?: string;

  @IsOptional()
  @IsString()
  notes?: string;

  @IsOptional()
  @ValidateNested()
  @Type(() => AvatarView)
  avatar?: AvatarView;

  @IsOptional()
  @ValidateNested()
  @Type(() => ContactUserView)
  user?: ContactUserView;

  @IsOptional()
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => ExtraFactView)
  more?: ExtraFactView[];

  @IsInt()
  @Min(1)
  version!: number;

  @IsString()
  createdAt!: string;

  @IsString()
  updatedAt!: string;
}

/** A contact that a query may mean. */
export class MatchedContactView extends ContactView {
  /** How well it fits, 0 to 100; set in mode resolve. */
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(100)
  score?: number;

  /** What it was recognised by; set in mode resolve. */
  @IsOptional()
  @IsIn(MATCH_KINDS)
  matchedBy?: MatchKind;
}

/** Contacts that may be one person. */
export class DuplicateGroupView {
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => ContactView)
  contacts!: ContactView[];

  /** What they share. */
  @IsArray()
  @IsIn(DUPLICATE_REASONS, { each: true })
  reasons!: DuplicateReason[];
}

/** One page of contacts by name; without `nextCursor` it is the last. */
export class ContactPageView {
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => ContactView)
  items!: ContactView[];

  /** Contacts on this page. */
  @IsInt()
  @Min(0)
  count!: number;

  @IsOptional()
  @IsString()
  nextCursor?: string;
}

/** Result of mode resolve. */
export class ResolveContactOutput {
  /** The contact that is meant; empty when nobody fits, or more than one. */
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => MatchedContactView)
  items!: MatchedContactView[];

  @IsInt()
  @Min(0)
  count!: number;

  /** True when several fit, or one only by a guess: ask which of `candidates` is meant. */
  @IsBoolean()
  ambiguous!: boolean;

  @IsOptional()
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => MatchedContactView)
  candidates?: MatchedContactView[];

  /** How many fit, when that is more than `candidates`. */
  @IsOptional()
  @IsInt()
  candidateCount?: number;
}

/** Result of mode duplicates. */
export class DuplicatesOutput {
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => DuplicateGroupView)
  groups!: DuplicateGroupView[];

  /** Groups on this page. */
  @IsInt()
  @Min(0)
  count!: number;

  @IsOptional()
  @IsString()
  nextCursor?: string;
}

/** Result of `contacts.read`; `items` but in mode duplicates, which has `groups`. */
export class ReadContactsOutput {
  @IsOptional()
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => MatchedContactView)
  items?: MatchedContactView[];

  @IsInt()
  @Min(0)
  count!: number;

  @IsOptional()
  @IsString()
  nextCursor?: string;

  @IsOptional()
  @IsBoolean()
  ambiguous?: boolean;

  @IsOptional()
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => MatchedContactView)
  candidates?: MatchedContactView[];

  @IsOptional()
  @IsInt()
  candidateCount?: number;

  @IsOptional()
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => DuplicateGroupView)
  groups?: DuplicateGroupView[];
}
