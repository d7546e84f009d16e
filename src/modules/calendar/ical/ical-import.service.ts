import { Inject, Injectable } from '@nestjs/common';
import { setImmediate } from 'node:timers/promises';
import { Clock } from '../../../common/clock.js';
import { UnitOfWork } from '../../../database/unit-of-work.js';
import type { CalendarCaller } from '../calendar.caller.js';
import { CalendarSeriesLimit } from '../calendar-series-limit.js';
import { CALENDAR_USERS, type CalendarUsers } from '../calendar.users.js';
import { normalizeEmail } from '../rules/attendees.js';
import type { ImportReport } from './dto/import.dto.js';
import { readIcal, type IcalFile, type IcalProblem } from './ical-file.js';
import { ICAL_REPORT_MAX_ITEMS } from './ical.limits.js';
import { IcalRepository } from './ical.repository.js';
import { planImport, type ImportPlan } from './import-plan.js';

export interface ImportOptions {
  charset?: string | undefined;
  /** False: of what the calendar does not read, events keep what they have. */
  preserve?: boolean;
}

/** Taking iCalendar files into a calendar. */
@Injectable()
export class IcalImportService {
  constructor(
    private readonly repository: IcalRepository,
    private readonly seriesLimit: CalendarSeriesLimit,
    @Inject(CALENDAR_USERS) private readonly users: CalendarUsers,
    private readonly uow: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * Imports a file, all of it or, when it is refused, nothing. Events that the calendar has already
   * (by UID and RECURRENCE-ID) are updated where they differ; events that cannot be kept are left
   * out, each with its line and a reason. Nobody is invited by an import.
   * @throws INVALID_ACTION_INPUT with line and reason for what is no iCalendar file; LIMIT_EXCEEDED.
   */
  async import(
    bytes: Uint8Array,
    caller: CalendarCaller,
    { charset, preserve = true }: ImportOptions = {},
  ): Promise<ImportReport> {
    const [self] = await this.users.findByIds([caller.userId]);
    const own = self ? normalizeEmail(self.email) : null;
    const { timezone } = caller;
    const isReader = (email: string) => email === own;
    const file = readIcal(bytes, { timezone, charset, preserve, isReader });
    // Reading holds the processor; whoever waits comes first.
    await setImmediate();
    const plan = await this.uow.run(() => this.apply(file, caller));
    return reportOf(file, plan);
  }

  private async apply(file: IcalFile, caller: CalendarCaller): Promise<ImportPlan> {
    const uids = uidsOf(file);
    await this.repository.lockImports(caller.userId);
    const plan = planImport(file, {
      ownerId: caller.userId,
      now: this.clock.now(),
      existing: await this.repository.lockByUids(caller.userId, uids),
      shared: await this.repository.sharedUids(caller.userId, uids),
    });
    await this.repository.insert(plan.created);
    await this.repository.update(plan.updated);
    await this.repository.deleteOverrides(plan.unrepeated);
    if (plan.created.length + plan.updated.length > 0) {
      await this.seriesLimit.assertKept(caller.userId, this.clock.now());
    }
    return plan;
  }
}

/** Also the names under which single occurrences without their series are kept. */
function uidsOf(file: IcalFile): string[] {
  const uids = file.events.flatMap(({ event }) => {
    const moment = event.replaces?.moment;
    if (!moment) return [event.uid];
    const name = (moment.kind === 'date' ? moment.date : moment.local).replace(/[-:]/g, '');
    return [event.uid, `${event.uid}#${name}`];
  });
  return [...new Set(uids)];
}

function reportOf(file: IcalFile, plan: ImportPlan): ImportReport {
  const listed = (problems: IcalProblem[]) => problems.slice(0, ICAL_REPORT_MAX_ITEMS);
  return {
    created: plan.created.length,
    updated: plan.updated.length,
    unchanged: plan.unchanged,
    skipped: plan.skipped.length,
    problems: listed(plan.skipped),
    notices: listed(file.notices),
  };
}
