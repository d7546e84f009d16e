import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import {
  AVAILABILITY_CONTROLLERS,
  AVAILABILITY_PROVIDERS,
} from './availability/availability.providers.js';
import { CalendarConflictsRepository } from './calendar-conflicts.repository.js';
import { CalendarConflictsService } from './calendar-conflicts.service.js';
import { CalendarCreationsRepository } from './calendar-creations.repository.js';
import { CalendarDeletionService } from './calendar-deletion.service.js';
import { CalendarEditingService } from './calendar-editing.service.js';
import { CalendarInvitationsService } from './calendar-invitations.service.js';
import { CalendarListingRepository } from './calendar-listing.repository.js';
import { CalendarOccurrencesService } from './calendar-occurrences.service.js';
import { CalendarReadingService } from './calendar-reading.service.js';
import { CalendarSeriesLimit } from './calendar-series-limit.js';
import { CalendarTargets } from './calendar-targets.service.js';
import { CalendarCommands } from './calendar.commands.js';
import { CalendarController } from './calendar.controller.js';
import { CalendarRepository } from './calendar.repository.js';
import { CalendarService } from './calendar.service.js';
import { CalendarAttendee } from './entities/calendar-attendee.entity.js';
import { CalendarCreation } from './entities/calendar-creation.entity.js';
import { CalendarEvent } from './entities/calendar-event.entity.js';
import { EventPresenter } from './event-presenter.js';
import { CalendarFeed } from './ical/calendar-feed.entity.js';
import { ICAL_CONTROLLERS, ICAL_PROVIDERS } from './ical/ical.providers.js';
import { CalendarPersonalData } from './calendar.personal-data.js';

/** The calendar. It needs CALENDAR_USERS, which the composition root binds. */
@Module({
  imports: [
    TypeOrmModule.forFeature([CalendarEvent, CalendarAttendee, CalendarCreation, CalendarFeed]),
  ],
  controllers: [...ICAL_CONTROLLERS, ...AVAILABILITY_CONTROLLERS, CalendarController],
  providers: [
    CalendarPersonalData,
    CalendarCommands,
    CalendarService,
    CalendarEditingService,
    CalendarDeletionService,
    CalendarConflictsService,
    CalendarSeriesLimit,
    CalendarTargets,
    CalendarReadingService,
    CalendarInvitationsService,
    CalendarOccurrencesService,
    CalendarRepository,
    CalendarListingRepository,
    CalendarConflictsRepository,
    CalendarCreationsRepository,
    EventPresenter,
    ...ICAL_PROVIDERS,
    ...AVAILABILITY_PROVIDERS,
  ],
})
export class CalendarModule {}
