import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { JsonObject } from '../../../common/json.js';

/** A creation that carried an idempotency key, and what it answered. */
@Entity('calendar_creations')
@Index('calendar_creations_created_at', ['createdAt'])
export class CalendarCreation {
  @PrimaryColumn({
    name: 'owner_id',
    type: 'text',
    primaryKeyConstraintName: 'calendar_creations_pk',
  })
  ownerId!: string;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'calendar_creations_pk' })
  key!: string;

  /** SHA-256 of the input, so that another input under the same key is told apart. */
  @Column({ type: 'text' })
  fingerprint!: string;

  /** Written before the transaction of the creation ends. */
  @Column({ type: 'jsonb', nullable: true })
  result!: JsonObject | null;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date;
}
