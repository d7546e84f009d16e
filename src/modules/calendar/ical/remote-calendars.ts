import type { FactoryProvider } from '@nestjs/common';
import { RemoteFiles } from '../../../common/remote/remote-files.js';
import { APP_CONFIG, type AppConfig } from '../../../config/app-config.js';
import { ICAL_FETCH_TIMEOUT_MS, ICAL_IMPORT_MAX_BYTES } from './ical.limits.js';

/** Injection token of what reads calendars at addresses: RemoteFiles, or null where none may be. */
export const REMOTE_CALENDARS = Symbol('REMOTE_CALENDARS');

export const remoteCalendarsProvider: FactoryProvider<RemoteFiles | null> = {
  provide: REMOTE_CALENDARS,
  inject: [APP_CONFIG],
  useFactory: ({ CALENDAR_IMPORT_FROM, CALENDAR_IMPORT_ORIGINS }: AppConfig) =>
    CALENDAR_IMPORT_FROM === 'off'
      ? null
      : new RemoteFiles({
          places: {
            internet: CALENDAR_IMPORT_FROM === 'internet',
            origins: CALENDAR_IMPORT_ORIGINS,
          },
          accept: 'text/calendar',
          maxBytes: ICAL_IMPORT_MAX_BYTES,
          timeoutMs: ICAL_FETCH_TIMEOUT_MS,
        }),
};
