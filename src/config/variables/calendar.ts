import { str } from 'envalid';
import { origins } from './kinds.js';
import { defineTheme } from './theme.js';

/** What calendars may be read from elsewhere. */
export const CALENDAR = defineTheme({
  title: 'Calendar',
  variables: {
    CALENDAR_IMPORT_FROM: str({
      choices: ['internet', 'listed', 'off'],
      default: 'internet',
      desc: 'Where calendars may be imported from by URL. internet: https on hosts with public addresses, and CALENDAR_IMPORT_ORIGINS. listed: the latter alone. off: nowhere.',
    }),
    CALENDAR_IMPORT_ORIGINS: origins({
      default: [],
      desc: 'Origins (http://10.0.0.5:8080) from which calendars may be imported although they lie inside the network, speak plain http or use another port; comma-separated. Every user can make the server read them.',
    }),
  },
});
