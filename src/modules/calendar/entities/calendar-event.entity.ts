import { Check, Column, Entity, Index, OneToMany, PrimaryColumn } from 'typeorm';
import { CalendarAttendee } from './calendar-attendee.entity.js';

/** An event of one owner. Timed: `startAt`/`endAt`; all-day: `startDate`/`endDate`, inclusive. */
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
