import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import {
  EXPORT_PAGE_MAX,
  IMPORT_MAX_BYTES,
  IMPORT_MAX_CARDS,
  LABEL_MAX,
} from '../contacts.limits.js';
import { VCARD_VERSIONS, type VcardVersion } from '../vcard/write-card.js';
import { MayBeAbsent, TextField } from './fields.js';

/** Input of `contacts.import`. */
export class ImportContactsInput {
  @TextField({
    min: 1,
    max: IMPORT_MAX_BYTES,
    description: `The text of a vCard file (2.1, 3.0 or 4.0), at most ${IMPORT_MAX_CARDS} cards. All of it is imported, or nothing.`,
  })
  vcard!: string;
}

export class SkippedCard {
  /** Line of the card's BEGIN. */
  @IsInt()
  line!: number;

  @IsString()
  reason!: string;
}

/** Result of `contacts.import`. */
export class ImportContactsOutput {
  /** Cards of the file that are contacts now, new or not. */
  @IsInt()
  @Min(0)
  count!: number;

  @IsInt()
  @Min(0)
  created!: number;

  /** Contacts that an earlier import brought (same UID) and that gained something. */
  @IsInt()
  @Min(0)
  updated!: number;

  @IsInt()
  @Min(0)
  unchanged!: number;

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => SkippedCard)
  skipped!: SkippedCard[];
}

/** Which contacts are exported, and how. */
export class ExportFields {
  @MayBeAbsent()
  @IsIn(VCARD_VERSIONS)
  @JSONSchema({ description: 'Version of vCard. Default 4.0; older phones want 3.0.' })
  version?: VcardVersion;

  @MayBeAbsent()
  @TextField({ min: 1, max: LABEL_MAX, description: 'Only contacts of this group.' })
  group?: string;
}

/** Input of `contacts.export`. */
export class ExportContactsInput extends ExportFields {
  @MayBeAbsent()
  @IsArray()
  @ArrayMaxSize(EXPORT_PAGE_MAX)
  @IsString({ each: true })
  @MaxLength(64, { each: true })
  @JSONSchema({ description: 'Only these contacts.' })
  contact_ids?: string[];

  @MayBeAbsent()
  @IsInt()
  @Min(1)
  @Max(EXPORT_PAGE_MAX)
  @JSONSchema({ description: `Contacts on a page. Default ${EXPORT_PAGE_MAX}.` })
  limit?: number;

  @MayBeAbsent()
  @TextField({ min: 1, max: 2_000, description: 'nextCursor of the page before.' })
  cursor?: string;
}

/** Result of `contacts.export`. */
export class ExportContactsOutput {
  @IsString()
  vcard!: string;

  /** Cards in it. */
  @IsInt()
  @Min(0)
  count!: number;

  @IsOptional()
  @IsString()
  nextCursor?: string;
}
