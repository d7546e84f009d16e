import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a calendar file says and the calendar only carries: lines of an event, parameters of a person. */
export class CalendarPreserved1796000000015 implements MigrationInterface {
  name = 'CalendarPreserved1796000000015';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE calendar_events ADD COLUMN preserved jsonb');
    await queryRunner.query('ALTER TABLE calendar_attendees ADD COLUMN preserved jsonb');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE calendar_attendees DROP COLUMN preserved');
    await queryRunner.query('ALTER TABLE calendar_events DROP COLUMN preserved');
  }
}
