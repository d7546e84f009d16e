import { IsBoolean, IsIn, IsInt, Max, Min } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import {
  ATTENDEES_MAX,
  BATCH_MAX,
  IDEMPOTENCY_KEY_MAX,
  LOCATION_MAX,
  NAME_MAX,
  NOTES_MAX,
  RRULE_MAX,
  TIMED_MAX_DAYS,
  TITLE_MAX,
} from '../calendar.limits.js';
import {
  DateField,
  DateTimeField,
  EmailField,
  EventIdField,
  ListField,
  PeopleField,
  TextField,
  TimezoneField,
  MayBeAbsent,
} from './fields.js';
import {
  OccurrencesField,
  RemindersField,
  ScopeField,
  type ReminderInput,
  type Scope,
} from './recurrence-fields.js';

/** A person of an event: a name, an email, or both. */
export class EventAttendeeInput {
  @MayBeAbsent()
  @TextField({ max: NAME_MAX })
  name?: string;

  @MayBeAbsent()
  @EmailField('A user with this email gets an invitation.')
  email?: string;

  /** `Amy` or `amy@example.com`. */
  static fromText(text: string): EventAttendeeInput {
    return Object.assign(
      new EventAttendeeInput(),
      text.includes('@') ? { email: text } : { name: text },
    );
  }
}

/** Every field of an event but its title. */
export class EventFields {
  @MayBeAbsent()
  @DateTimeField('Start, ISO 8601 with offset. With all-day events use start_date instead.')
  start_at?: string;

  @MayBeAbsent()
  @DateTimeField('End, ISO 8601 with offset, after start_at.')
  end_at?: string;

  @MayBeAbsent()
  @IsInt()
  @Min(1)
  @Max(TIMED_MAX_DAYS * 24 * 60)
  @JSONSchema({ description: 'Length in minutes, instead of end_at.' })
  duration_minutes?: number;

  @MayBeAbsent()
  @IsBoolean()
  @JSONSchema({ description: 'True: the event is whole days, given by start_date and end_date.' })
  all_day?: boolean;

  @MayBeAbsent()
  @DateField('First day of an all-day event.')
  start_date?: string;

  @MayBeAbsent()
  @DateField('Last day of an all-day event, itself included. Default: start_date.')
  end_date?: string;

  @MayBeAbsent()
  @TimezoneField("IANA zone in which the event's times are meant. Default: the user's zone.")
  timezone?: string;

  @MayBeAbsent()
  @TextField({ max: LOCATION_MAX })
  location?: string;

  @MayBeAbsent()
  @TextField({ max: NOTES_MAX })
  notes?: string;

  @MayBeAbsent()
  @PeopleField(EventAttendeeInput, (text) => EventAttendeeInput.fromText(text), {
    min: 0,
    max: ATTENDEES_MAX,
    description: 'People besides the owner: {name, email}, or a name or email alone.',
  })
  attendees?: EventAttendeeInput[];

  @MayBeAbsent()
  @TextField({
    max: RRULE_MAX,
    description:
      'Repeats by this RFC 5545 rule, such as FREQ=WEEKLY;BYDAY=MO,WE or FREQ=MONTHLY;BYDAY=-1FR;UNTIL=20261231. FREQ is HOURLY or longer; without COUNT or UNTIL it has no end. In an update an empty text ends the repetition.',
  })
  rrule?: string;

  @MayBeAbsent()
  @OccurrencesField('Occurrences left out of a series: dates, or their starts.')
  exdates?: string[];

  @MayBeAbsent()
  @OccurrencesField('Starts of further occurrences besides those of the rule: dates or date-times.')
  rdates?: string[];

  @MayBeAbsent()
  @IsBoolean()
  @JSONSchema({
    description: 'True: the time is the same on the clock of every reader, wherever they are.',
  })
  floating?: boolean;

  @MayBeAbsent()
  @RemindersField()
  reminders?: ReminderInput[];
}

/** A new event. */
export class EventDraft extends EventFields {
  @TextField({ min: 1, max: TITLE_MAX })
  title!: string;
}

/** Input of `calendar.create`: one event by its fields, or several as `events`. */
export class CreateEventsInput extends EventFields {
  @MayBeAbsent()
  @TextField({ min: 1, max: TITLE_MAX, description: 'Required unless events is given.' })
  title?: string;

  @MayBeAbsent()
  @ListField(EventDraft, {
    min: 1,
    max: BATCH_MAX,
    description: `Up to ${BATCH_MAX} events at once, instead of the other fields. One that fails does not stop the others.`,
  })
  events?: EventDraft[];

  @MayBeAbsent()
  @IsIn(['allow', 'refuse'])
  @JSONSchema({
    description:
      'refuse: CONFLICT when it overlaps an event of the user. Default allow: it is created, and conflicts lists what it overlaps.',
  })
  on_conflict?: 'allow' | 'refuse';

  @MayBeAbsent()
  @TextField({
    min: 1,
    max: IDEMPOTENCY_KEY_MAX,
    description:
      'A name for this creation: repeating it under the same key does not create twice. CONFLICT when the key was used with another input.',
  })
  idempotency_key?: string;
}

/** What may change in an event; body of the REST PATCH. */
export class EventChanges extends EventFields {
  @MayBeAbsent()
  @TextField({ min: 1, max: TITLE_MAX })
  title?: string;

  @MayBeAbsent()
  @IsInt()
  @Min(1)
  @JSONSchema({
    description: 'Version that the change is based on; CONFLICT when the event has another.',
  })
  expected_version?: number;

  @MayBeAbsent()
  @ScopeField(
    'How much of a series changes: this, this_and_following or all. Default: this for the id of an occurrence, all for the id of the series.',
  )
  scope?: Scope;

  @MayBeAbsent()
  @IsIn(['allow', 'refuse'])
  @JSONSchema({
    description:
      'refuse: CONFLICT when the new time overlaps an event of the user. Default allow: it is changed, and conflicts lists what it overlaps.',
  })
  on_conflict?: 'allow' | 'refuse';
}

/** Input of `calendar.update`. */
export class UpdateEventInput extends EventChanges {
  @EventIdField()
  event_id!: string;
}

/** An event, a series, or one occurrence of it. */
export class EventIdInput {
  @EventIdField()
  event_id!: string;
}

/** Query of the REST delete. */
export class DeleteEventQuery {
  @MayBeAbsent()
  @ScopeField(
    'How much of a series goes: this, this_and_following or all. Default: this for the id of an occurrence, all for the id of the series.',
  )
  scope?: Scope;
}

/** Input of `calendar.delete`. */
export class DeleteEventInput extends DeleteEventQuery {
  @EventIdField()
  event_id!: string;
}

/** Body of the REST answers to an invitation. */
export class AnswerInviteBody {
  @MayBeAbsent()
  @IsIn(['this', 'all'])
  @JSONSchema({
    description:
      'Of a series: one occurrence, or all. Default: all while the invitation is open, then this for the id of an occurrence.',
  })
  scope?: 'this' | 'all';
}

/** Input of accepting and rejecting an invitation. */
export class AnswerInviteInput extends AnswerInviteBody {
  @EventIdField()
  event_id!: string;
}
