import { CalendarFeedsController } from './calendar-feeds.controller.js';
import { CalendarFeedsRepository } from './calendar-feeds.repository.js';
import { CalendarFeedsService } from './calendar-feeds.service.js';
import { CalendarIcalController } from './calendar-ical.controller.js';
import { IcalExportService } from './ical-export.service.js';
import { IcalImportService } from './ical-import.service.js';
import { IcalRepository } from './ical.repository.js';
import { IcalUrlImportService } from './ical-url-import.service.js';
import { remoteCalendarsProvider } from './remote-calendars.js';

/** What the calendar's module is made of for iCalendar; before `events/{event_id}` in its list. */
export const ICAL_CONTROLLERS = [CalendarIcalController, CalendarFeedsController];

export const ICAL_PROVIDERS = [
  IcalRepository,
  IcalImportService,
  IcalUrlImportService,
  remoteCalendarsProvider,
  IcalExportService,
  CalendarFeedsRepository,
  CalendarFeedsService,
];
