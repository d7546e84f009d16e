import {
  Check,
  Column,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  OneToMany,
  PrimaryColumn,
} from 'typeorm';
import type { PreservedEvent } from '../rules/preserved.js';
import type { Reminder } from '../rules/reminders.js';
import { CalendarAttendee } from './calendar-attendee.entity.js';

/**
 * An event of one owner. Timed: `startAt`/`endAt`; all-day: `startDate`/`endDate`, inclusive.
 *
 * A series is one row with `rrule` or `rdates`; its own times are those of its first occurrence. An
 * override is a row of its own that stands for one occurrence: `seriesId` says of which series,
 * `recurrenceId` which occurrence. Occurrences are named by their start as the series' zone reads
 * it, in iCalendar's basic form (`20261225T090000`, all-day `20261225`); `rdates` and `exdates` are
 * such names too. To the outside an occurrence is `<series id>~<recurrence id>`, overridden or not.
 */
@Entity('calendar_events')
@Index('calendar_events_owner_start_at', ['ownerId', 'startAt'])
@Index('calendar_events_owner_start_date', ['ownerId', 'startDate'])
@Check(
  'calendar_events_kind',
  `CASE WHEN all_day
    THEN num_nonnulls(start_date, end_date) = 2 AND num_nulls(start_at, end_at) = 2
    ELSE num_nonnulls(start_at, end_at) = 2 AND num_nulls(start_date, end_date) = 2
  END`,
)
@Check(
  'calendar_events_timed_length',
  `end_at > start_at AND end_at - start_at <= interval '744 hours'`,
)
@Check('calendar_events_all_day_length', `end_date >= start_date AND end_date - start_date < 366`)
@Check('calendar_events_version', `version > 0`)
@Index('calendar_events_owner_uid', ['ownerId', 'uid'], {
  unique: true,
  where: 'series_id IS NULL',
})
@Index('calendar_events_series', ['seriesId', 'recurrenceId'], {
  unique: true,
  where: 'series_id IS NOT NULL',
})
@Index('calendar_events_owner_expanded', ['ownerId', 'recursUntil'], { where: 'expanded' })
@Index('calendar_events_search', { synchronize: false })
@Check(
  'calendar_events_override',
  `num_nonnulls(series_id, recurrence_id) <> 1
    AND (series_id IS NULL OR rrule IS NULL AND rdates = '{}' AND exdates = '{}')`,
)
@Check('calendar_events_expanded', `expanded = (floating OR rrule IS NOT NULL OR rdates <> '{}')`)
@Check('calendar_events_floating', `NOT (floating AND all_day)`)
export class CalendarEvent {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'calendar_events_pk' })
  id!: string;

  @Column({ name: 'owner_id', type: 'text' })
  ownerId!: string;

  @Column({ type: 'text' })
  title!: string;

  @Column({ name: 'all_day', type: 'boolean' })
  allDay!: boolean;

  @Column({ name: 'start_at', type: 'timestamptz', precision: 3, nullable: true })
  startAt!: Date | null;

  @Column({ name: 'end_at', type: 'timestamptz', precision: 3, nullable: true })
  endAt!: Date | null;

  /** `YYYY-MM-DD`. */
  @Column({ name: 'start_date', type: 'date', nullable: true })
  startDate!: string | null;

  /** `YYYY-MM-DD`, the last day itself. */
  @Column({ name: 'end_date', type: 'date', nullable: true })
  endDate!: string | null;

  /** IANA zone in which the owner means the times. */
  @Column({ type: 'text' })
  timezone!: string;

  @Column({ type: 'text', nullable: true })
  location!: string | null;

  @Column({ type: 'text', nullable: true })
  notes!: string | null;

  /** iCalendar's name of the event, the owner's only one with it; an override has its series'. */
  @Column({ type: 'text' })
  uid!: string;

  /** RFC 5545 RECUR value without `RRULE:`; UNTIL is UTC for timed series, a date for all-day ones. */
  @Column({ type: 'text', nullable: true })
  rrule!: string | null;

  @Column({ type: 'text', array: true, default: '{}' })
  rdates!: string[];

  @Column({ type: 'text', array: true, default: '{}' })
  exdates!: string[];

  @Column({ name: 'series_id', type: 'text', nullable: true })
  seriesId!: string | null;

  @Column({ name: 'recurrence_id', type: 'text', nullable: true })
  recurrenceId!: string | null;

  @ManyToOne('CalendarEvent', { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'series_id', foreignKeyConstraintName: 'calendar_events_series_fk' })
  series?: { id: string } | null;

  /** A time on the wall of whoever reads it; `startAt` is then that wall time in `timezone`. */
  @Column({ type: 'boolean', default: false })
  floating!: boolean;

  /** When it is follows from a rule or from the reader's zone, not from the columns alone. */
  @Column({ type: 'boolean', default: false })
  expanded!: boolean;

  /** For expanded rows: nothing of it ends after this; null: it goes on for ever. */
  @Column({ name: 'recurs_until', type: 'timestamptz', precision: 3, nullable: true })
  recursUntil!: Date | null;

  @Column({ type: 'jsonb', default: [] })
  reminders!: Reminder[];

  /** iCalendar SEQUENCE: grows with every change of when the event is. */
  @Column({ type: 'integer', default: 0 })
  sequence!: number;

  @Column({ type: 'jsonb', nullable: true })
  preserved!: PreservedEvent | null;

  /** What a search reads, normalised; see rules/search-text.ts. */
  @Column({ name: 'search_text', type: 'text', default: '', select: false })
  searchText!: string;

  @Column({ name: 'search_grams', type: 'text', array: true, default: '{}', select: false })
  searchGrams!: string[];

  /** Grows by one with every change of the event (not with answers to invitations). */
  @Column({ type: 'integer' })
  version!: number;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date;

  @Column({ name: 'updated_at', type: 'timestamptz', precision: 3 })
  updatedAt!: Date;

  @OneToMany(() => CalendarAttendee, (attendee) => attendee.event)
  attendees!: CalendarAttendee[];
}
