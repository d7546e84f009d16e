import { IsBoolean, IsIn, IsInt, Max, Min } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { QueryBoolean, QueryInteger } from '../../../common/query-values.js';
import { PAGE_DEFAULT, PAGE_MAX, QUERY_MAX, WINDOW_MAX_DAYS } from '../calendar.limits.js';
import {
  DateField,
  DateTimeField,
  EventIdField,
  TextField,
  TimezoneField,
  MayBeAbsent,
} from './fields.js';

export const READ_MODES = ['day', 'range', 'event', 'search'] as const;
export type ReadMode = (typeof READ_MODES)[number];

/** Where a page begins and how long it is. */
export class CalendarPageInput {
  @MayBeAbsent()
  @IsInt()
  @Min(1)
  @Max(PAGE_MAX)
  @JSONSchema({ description: `Events on a page. Default ${PAGE_DEFAULT}.` })
  limit?: number;

  @MayBeAbsent()
  @TextField({ min: 1, max: 200, description: 'nextCursor of the page before.' })
  cursor?: string;
}

/** Which events are listed; shared by `calendar.read` and the REST list. */
export class ListFields extends CalendarPageInput {
  @MayBeAbsent()
  @DateField('Mode day: the day.')
  date?: string;

  @MayBeAbsent()
  @DateTimeField('Mode range: events that end after this.')
  start_at?: string;

  @MayBeAbsent()
  @DateTimeField(
    `Mode range: events that begin before this; at most ${WINDOW_MAX_DAYS} days after start_at.`,
  )
  end_at?: string;

  @MayBeAbsent()
  @TimezoneField("IANA zone in which days are meant. Default: the user's zone.")
  timezone?: string;

  @MayBeAbsent()
  @TextField({
    min: 1,
    max: QUERY_MAX,
    description:
      'Only events with these words in title, place, notes or attendees. Mode search needs it.',
  })
  query?: string;

  @MayBeAbsent()
  @IsBoolean()
  @JSONSchema({
    description:
      'True: also invitations that wait for an answer (myStatus pending). Default false: own and accepted events.',
  })
  include_invitations?: boolean;

  @MayBeAbsent()
  @IsBoolean()
  @JSONSchema({
    description: 'True: only invitations that wait for an answer, and no other events.',
  })
  only_invitations?: boolean;
}

/** Input of `calendar.read`. */
export class ReadEventsInput extends ListFields {
  @IsIn(READ_MODES)
  @JSONSchema({
    description:
      'day: needs date. range: needs start_at and end_at. event: needs event_id. search: needs query, at any time or between start_at and end_at.',
  })
  mode!: ReadMode;

  @MayBeAbsent()
  @EventIdField()
  event_id?: string;
}

/** Query of the REST list: `date`, or `start_at` and `end_at`, or neither for the coming 30 days. */
export class ListEventsQuery extends ListFields {
  @QueryInteger()
  declare limit?: number;

  @QueryBoolean()
  declare include_invitations?: boolean;

  @QueryBoolean()
  declare only_invitations?: boolean;
}

/** Query of the REST list of invitations. */
export class CalendarPageQuery extends CalendarPageInput {
  @QueryInteger()
  declare limit?: number;
}
