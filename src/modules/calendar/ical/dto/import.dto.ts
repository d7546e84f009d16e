import { Type } from 'class-transformer';
import { IsArray, IsInt, IsOptional, IsString, Min, ValidateNested } from 'class-validator';
import { REMOTE_URL_MAX } from '../../../../common/remote/remote-target.js';
import { TextField } from '../../dto/fields.js';
import { ICAL_IMPORT_MAX_BYTES, ICAL_TEXT_MAX_CHARS } from '../ical.limits.js';

/** Body of the REST import where the file is not the body itself. */
export class ImportIcsBody {
  @TextField({
    min: 1,
    max: ICAL_IMPORT_MAX_BYTES,
    description: 'The text of an iCalendar file (.ics).',
  })
  ics!: string;
}

/** Body of the import by URL. */
export class ImportUrlBody {
  @TextField({
    min: 1,
    max: REMOTE_URL_MAX,
    description: 'Address of an iCalendar file: https:// or webcal://.',
  })
  url!: string;
}

/** Input of `calendar.import_ics`. */
export class ImportIcsInput {
  @TextField({
    min: 1,
    max: ICAL_TEXT_MAX_CHARS,
    description: 'The text of a small iCalendar file, from BEGIN:VCALENDAR to END:VCALENDAR.',
  })
  ics!: string;
}

/** Something of a file that was left out, or changed to fit. */
export class ImportProblem {
  /** Line of the file, from 1. */
  @IsInt()
  @Min(1)
  line!: number;

  @IsString()
  reason!: string;

  /** UID of the event that it is about. */
  @IsOptional()
  @IsString()
  uid?: string;
}

/** What came of an import; the lists have at most 500 entries, the numbers count all. */
export class ImportReport {
  @IsInt()
  @Min(0)
  created!: number;

  @IsInt()
  @Min(0)
  updated!: number;

  /** Events that the calendar had already, exactly so. */
  @IsInt()
  @Min(0)
  unchanged!: number;

  /** Events, and components that are no events, that were left out; `problems` says why. */
  @IsInt()
  @Min(0)
  skipped!: number;

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => ImportProblem)
  problems!: ImportProblem[];

  /** What was changed in events that were taken: texts cut, reminders or people left out. */
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => ImportProblem)
  notices!: ImportProblem[];
}
