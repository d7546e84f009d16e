import { DataSource } from 'typeorm';
import { Clock } from '../../src/common/clock.js';
import { dataSourceOptions } from '../../src/database/data-source.js';
import { UnitOfWork } from '../../src/database/unit-of-work.js';
import { CalendarConflictsRepository } from '../../src/modules/calendar/calendar-conflicts.repository.js';
import { CalendarConflictsService } from '../../src/modules/calendar/calendar-conflicts.service.js';
import { CalendarCreationsRepository } from '../../src/modules/calendar/calendar-creations.repository.js';
import { CalendarDeletionService } from '../../src/modules/calendar/calendar-deletion.service.js';
import { CalendarEditingService } from '../../src/modules/calendar/calendar-editing.service.js';
import { CalendarSeriesLimit } from '../../src/modules/calendar/calendar-series-limit.js';
import { CalendarTargets } from '../../src/modules/calendar/calendar-targets.service.js';
import { CalendarInvitationsService } from '../../src/modules/calendar/calendar-invitations.service.js';
import { CalendarListingRepository } from '../../src/modules/calendar/calendar-listing.repository.js';
import { CalendarOccurrencesService } from '../../src/modules/calendar/calendar-occurrences.service.js';
import { CalendarReadingService } from '../../src/modules/calendar/calendar-reading.service.js';
import type { CalendarCaller } from '../../src/modules/calendar/calendar.caller.js';
import { CalendarRepository } from '../../src/modules/calendar/calendar.repository.js';
import { CalendarService } from '../../src/modules/calendar/calendar.service.js';
import type { CalendarUser, CalendarUsers } from '../../src/modules/calendar/calendar.users.js';
import type { EventDraft } from '../../src/modules/calendar/dto/event-input.dto.js';
import type { EventView } from '../../src/modules/calendar/dto/event-view.dto.js';
import { CalendarAttendee } from '../../src/modules/calendar/entities/calendar-attendee.entity.js';
import { CalendarCreation } from '../../src/modules/calendar/entities/calendar-creation.entity.js';
import { CalendarEvent } from '../../src/modules/calendar/entities/calendar-event.entity.js';
import { EventPresenter } from '../../src/modules/calendar/event-presenter.js';
import { IcalExportService } from '../../src/modules/calendar/ical/ical-export.service.js';
import { IcalImportService } from '../../src/modules/calendar/ical/ical-import.service.js';
import { IcalRepository } from '../../src/modules/calendar/ical/ical.repository.js';
import { createTestDatabase } from '../support/database.js';

/** Three accounts: the owner of things, someone invited, and someone who has no business here. */
export const PEOPLE = ['owner', 'guest', 'stranger'] as const;
export type Person = (typeof PEOPLE)[number];

export function userOf(person: Person): CalendarUser {
  return { id: `usr_${person}`, email: `${person}@example.com`, displayName: person };
}

/** Answers from a fixed list, as the accounts would. */
export class FixedCalendarUsers implements CalendarUsers {
  async findByEmails(emails: string[]): Promise<CalendarUser[]> {
    return PEOPLE.map(userOf).filter((user) => emails.includes(user.email));
  }

  async findByIds(ids: string[]): Promise<CalendarUser[]> {
    return PEOPLE.map(userOf).filter((user) => ids.includes(user.id));
  }
}

/** A clock that stands still. */
export class FixedClock extends Clock {
  time = new Date('2026-04-20T08:00:00Z');

  override now(): Date {
    return this.time;
  }
}

/** The calendar's services on a database of their own. */
export async function createCalendar() {
  const database = await createTestDatabase();
  const dataSource = await new DataSource({
    ...dataSourceOptions({ url: database.url, poolSize: 8 }),
    entities: [CalendarEvent, CalendarAttendee, CalendarCreation],
  }).initialize();
  const uow = new UnitOfWork(dataSource);
  const users = new FixedCalendarUsers();
  const clock = new FixedClock();
  const repository = new CalendarRepository(uow);
  const listing = new CalendarListingRepository(uow);
  const occurrences = new CalendarOccurrencesService(listing);
  const presenter = new EventPresenter(users);
  const files = new IcalRepository(uow);
  const targets = new CalendarTargets(repository);
  const conflicts = new CalendarConflictsService(new CalendarConflictsRepository(uow), listing);
  const seriesLimit = new CalendarSeriesLimit(uow);
  const editing = new CalendarEditingService(
    targets,
    repository,
    conflicts,
    seriesLimit,
    presenter,
    users,
    uow,
    clock,
  );
  const calendar = new CalendarService(
    repository,
    new CalendarCreationsRepository(uow),
    conflicts,
    editing,
    new CalendarDeletionService(targets, repository, uow, clock),
    seriesLimit,
    presenter,
    users,
    uow,
    clock,
  );
  return {
    dataSource,
    uow,
    clock,
    calendar,
    reading: new CalendarReadingService(targets, listing, occurrences, presenter, clock),
    importing: new IcalImportService(files, seriesLimit, users, uow, clock),
    exporting: new IcalExportService(files, users),
    sharing: new CalendarInvitationsService(targets, repository, seriesLimit, users, uow, clock),
    caller: (person: Person, timezone = 'Asia/Shanghai'): CalendarCaller => ({
      userId: userOf(person).id,
      timezone,
    }),
    /** A new event of the owner; an hour of work unless said otherwise. */
    add: async (draft: Partial<EventDraft> = {}): Promise<EventView> => {
      const created = await calendar.create(
        {
          title: 'Project sync',
          ...(draft.start_date ? {} : { start_at: '2026-04-21T15:00:00+08:00' }),
          ...draft,
        },
        { userId: userOf('owner').id, timezone: 'Asia/Shanghai' },
      );
      if ('failed' in created) throw new Error('one event was asked for');
      return created;
    },
    empty: () => dataSource.query('DELETE FROM calendar_events'),
    close: async () => {
      await dataSource.destroy();
      await database.drop();
    },
  };
}

export type TestCalendar = Awaited<ReturnType<typeof createCalendar>>;
