import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import type { AttendeeStatus, Permission } from '../rules/access.js';
import type { PreservedPerson } from '../rules/preserved.js';

/**
 * One person of an event. With a `userId` it is an invitation of a user of the system; without one
 * it is a name or address on a list (`listed`), which grants nothing.
 */
@Entity('calendar_attendees')
@Index('calendar_attendees_event_user', ['eventId', 'userId'], {
  unique: true,
  where: 'user_id IS NOT NULL',
})
@Index('calendar_attendees_event_email', ['eventId', 'email'], {
  unique: true,
  where: 'email IS NOT NULL',
})
@Index('calendar_attendees_user_status', ['userId', 'status', 'eventId'])
@Check('calendar_attendees_named', `num_nonnulls(name, email) > 0`)
@Check('calendar_attendees_permission', `permission IN ('view', 'edit')`)
@Check(
  'calendar_attendees_status',
  `CASE WHEN user_id IS NULL
    THEN status = 'listed'
    ELSE status IN ('pending', 'accepted', 'rejected')
  END`,
)
export class CalendarAttendee {
  @PrimaryColumn({
    name: 'event_id',
    type: 'text',
    primaryKeyConstraintName: 'calendar_attendees_pk',
  })
  eventId!: string;

  /** Place in the event's list, from 0. */
  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'calendar_attendees_pk' })
  position!: number;

  // By name: the event's class refers to this one, and files have no cycles.
  @ManyToOne('CalendarEvent', 'attendees', { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'event_id', foreignKeyConstraintName: 'calendar_attendees_event_fk' })
  event?: { id: string };

  @Column({ name: 'user_id', type: 'text', nullable: true })
  userId!: string | null;

  @Column({ type: 'text', nullable: true })
  name!: string | null;

  /** Lower case. */
  @Column({ type: 'text', nullable: true })
  email!: string | null;

  @Column({ type: 'text' })
  permission!: Permission;

  @Column({ type: 'text' })
  status!: AttendeeStatus;

  @Column({ name: 'invited_at', type: 'timestamptz', precision: 3, nullable: true })
  invitedAt!: Date | null;

  @Column({ name: 'responded_at', type: 'timestamptz', precision: 3, nullable: true })
  respondedAt!: Date | null;

  @Column({ type: 'jsonb', nullable: true })
  preserved!: PreservedPerson | null;
}
