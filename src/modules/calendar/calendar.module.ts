import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CalendarInvitationsService } from './calendar-invitations.service.js';
import { CalendarListingRepository } from './calendar-listing.repository.js';
import { CalendarOccurrencesService } from './calendar-occurrences.service.js';
import { CalendarReadingService } from './calendar-reading.service.js';
import { CalendarCommands } from './calendar.commands.js';
import { CalendarController } from './calendar.controller.js';
import { CalendarRepository } from './calendar.repository.js';
import { CalendarService } from './calendar.service.js';
import { CalendarAttendee } from './entities/calendar-attendee.entity.js';
import { CalendarCreation } from './entities/calendar-creation.entity.js';
import { CalendarEvent } from './entities/calendar-event.entity.js';
import { EventPresenter } from './event-presenter.js';

/** The calendar. It needs CALENDAR_USERS, which the composition root binds. */
@Module({
  imports: [TypeOrmModule.forFeature([CalendarEvent, CalendarAttendee, CalendarCreation])],
  controllers: [CalendarController],
  providers: [
    CalendarCommands,
    CalendarService,
    CalendarReadingService,
    CalendarInvitationsService,
    CalendarOccurrencesService,
    CalendarRepository,
    CalendarListingRepository,
    EventPresenter,
  ],
})
export class CalendarModule {}
