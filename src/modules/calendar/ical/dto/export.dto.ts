import { IsInt, IsString, Min } from 'class-validator';
import { WINDOW_MAX_DAYS } from '../../calendar.limits.js';
import { DateTimeField, EventIdField, MayBeAbsent } from '../../dto/fields.js';

const START = 'Only events that end after this; with end_at.';
const END = `Only events that begin before this; at most ${WINDOW_MAX_DAYS} days after start_at.`;

/** Query of the REST export: a range, or nothing for everything. */
export class ExportIcsQuery {
  @MayBeAbsent()
  @DateTimeField(START)
  start_at?: string;

  @MayBeAbsent()
  @DateTimeField(END)
  end_at?: string;
}

/** Input of `calendar.export_ics`: an event, or a range. */
export class ExportIcsInput extends ExportIcsQuery {
  @MayBeAbsent()
  @EventIdField()
  event_id?: string;
}

/** Result of `calendar.export_ics`. */
export class ExportIcsOutput {
  /** An iCalendar file (RFC 5545). */
  @IsString()
  ics!: string;

  /** Events in it: a series once, and each occurrence that differs. */
  @IsInt()
  @Min(0)
  count!: number;
}
