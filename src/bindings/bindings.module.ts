import { Global, Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { CALENDAR_USERS } from '../modules/calendar/calendar.users.js';
import { AccountCalendarUsers } from './calendar-users.js';

/** Where ports that modules declare are bound to what answers them; modules know only the port. */
@Global()
@Module({
  imports: [AuthModule],
  providers: [{ provide: CALENDAR_USERS, useClass: AccountCalendarUsers }],
  exports: [CALENDAR_USERS],
})
export class BindingsModule {}
