import { Global, Module } from '@nestjs/common';
import { BRIEFING_SOURCE } from '../agent/briefing-source.js';
import { AuthModule } from '../auth/auth.module.js';
import { CALENDAR_USERS } from '../modules/calendar/calendar.users.js';
import { CONTACTS_PEOPLE } from '../modules/contacts/contacts.people.js';
import { MemoryModule } from '../modules/memory/memory.module.js';
import { MEMORY_SCREENING } from '../modules/memory/memory.screening.js';
import { AccountCalendarUsers } from './calendar-users.js';
import { AccountContactsPeople } from './contacts-people.js';
import { MemoryBriefing } from './memory-briefing.js';
import { CredentialScreening } from './memory-screening.js';

/** Where ports that modules declare are bound to what answers them; modules know only the port. */
@Global()
@Module({
  imports: [AuthModule, MemoryModule],
  providers: [
    { provide: CALENDAR_USERS, useClass: AccountCalendarUsers },
    { provide: CONTACTS_PEOPLE, useClass: AccountContactsPeople },
    { provide: MEMORY_SCREENING, useClass: CredentialScreening },
    { provide: BRIEFING_SOURCE, useClass: MemoryBriefing },
  ],
  exports: [BRIEFING_SOURCE, MEMORY_SCREENING, CALENDAR_USERS, CONTACTS_PEOPLE],
})
export class BindingsModule {}
