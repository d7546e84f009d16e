import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../../common/clock.js';
import type { CalendarCaller } from '../calendar.caller.js';
import { invalidField } from '../calendar.errors.js';
import { CALENDAR_USERS, type CalendarUser, type CalendarUsers } from '../calendar.users.js';
import { normalizeEmail } from '../rules/attendees.js';
import { failureOfAll } from '../rules/batch.js';
import { rangeWindow, type TimeWindow } from '../rules/time-window.js';
import { formatInstant, requireZone, toInstant } from '../rules/zone.js';
import {
  AVAILABILITY_WINDOW_MAX_DAYS,
  RELATION_DAYS,
  SLOTS_DEFAULT,
  SLOT_DEFAULT_DAYS,
  SLOT_GRID_MINUTES,
} from './availability.limits.js';
import { BusyRelationRepository } from './busy-relation.repository.js';
import { BusyService } from './busy.service.js';
import type { FindSlotInput, FreeBusyInput } from './dto/availability-input.dto.js';
import type {
  FindSlotOutput,
  FreeBusyOutput,
  PersonOutcome,
  TimeSpan,
} from './dto/availability-output.dto.js';
import { merged, slotsIn, without, type Interval } from './intervals.js';
import { workingIntervals } from './working-hours.js';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const WEEKDAYS = [1, 2, 3, 4, 5];

/** Somebody asked about; without an id the caller may not see them, or they do not exist. */
interface Person {
  outcome: PersonOutcome;
  userId: string | null;
}

/** When people are busy, and when all of them are free. */
@Injectable()
export class AvailabilityService {
  constructor(
    private readonly busy: BusyService,
    private readonly relations: BusyRelationRepository,
    @Inject(CALENDAR_USERS) private readonly users: CalendarUsers,
    private readonly clock: Clock,
  ) {}

  /**
   * Busy times of the caller, or of `people`; whoever shows the caller nothing has an error.
   * @throws INVALID_ACTION_INPUT; NOT_FOUND when none of the people can be seen; LIMIT_EXCEEDED
   */
  async freeBusy(input: FreeBusyInput, caller: CalendarCaller): Promise<FreeBusyOutput> {
    const window = windowOf(input.start_at, input.end_at, zoneOf(input, caller));
    const people = input.people
      ? await this.find(input.people, caller)
      : [personOf(await this.self(caller))];
    const failed = people.filter(({ userId }) => userId === null).length;
    if (failed === people.length) {
      throw failureOfAll(
        'people',
        people.map(({ outcome }) => outcome),
      );
    }
    const answers = [];
    for (const { outcome, userId } of people) {
      const times = userId && (await this.busy.of(userId, window, input.ignore_all_day ?? false));
      answers.push({ ...outcome, ...(times ? { busy: spansOf(times, window.zone) } : {}) });
    }
    return { people: answers, count: people.length - failed, failed, ...rangeOf(window) };
  }

  /**
   * The earliest times in working hours at which the caller and all participants are free. Those who
   * show the caller nothing are named, and nothing is said about them.
   * @throws INVALID_ACTION_INPUT, LIMIT_EXCEEDED
   */
  async findSlot(input: FindSlotInput, caller: CalendarCaller): Promise<FindSlotOutput> {
    const zone = zoneOf(input, caller);
    const window = this.slotWindow(input, zone);
    const hours = {
      start: input.work_start ?? '09:00',
      end: input.work_end ?? '18:00',
      days: input.work_days ?? WEEKDAYS,
      zone,
    };
    if (hours.end <= hours.start) throw invalidField('work_end', 'must be after work_start.');
    const self = await this.self(caller);
    const others = await this.find(input.participants ?? [], caller);
    const people = [personOf(self), ...others.filter(({ userId }) => userId !== self.id)];
    const busy: Interval[] = [];
    for (const { userId } of people) {
      if (userId === null) continue;
      busy.push(...(await this.busy.of(userId, window, input.ignore_all_day ?? false)));
    }
    const span = { from: window.from.getTime(), to: window.to.getTime() };
    const slots = slotsIn(
      without(workingIntervals(span, hours), merged(busy)),
      input.duration_minutes * MINUTE_MS,
      SLOT_GRID_MINUTES * MINUTE_MS,
      input.limit ?? SLOTS_DEFAULT,
    );
    return {
      slots: spansOf(slots, zone),
      count: slots.length,
      participants: people.map(({ outcome }) => outcome),
      failed: people.filter(({ userId }) => userId === null).length,
      ...rangeOf(window),
    };
  }

  private slotWindow(input: FindSlotInput, zone: string): TimeWindow {
    const now = this.clock.now();
    const wanted = input.start_at ? toInstant(input.start_at) : now;
    const from = wanted < now ? now : wanted;
    const end = input.end_at
      ? toInstant(input.end_at)
      : new Date(from.getTime() + SLOT_DEFAULT_DAYS * DAY_MS);
    if (end <= from) throw invalidField('end_at', 'must be after start_at, and in the future.');
    return windowOf(from.toISOString(), end.toISOString(), zone);
  }

  private async self(caller: CalendarCaller): Promise<CalendarUser> {
    const [self] = await this.users.findByIds([caller.userId]);
    return self ?? { id: caller.userId, email: '', displayName: '' };
  }

  private async find(emails: string[], caller: CalendarCaller): Promise<Person[]> {
    const wanted = [...new Set(emails.map(normalizeEmail))];
    if (wanted.length === 0) return [];
    const users = await this.users.findByEmails(wanted);
    const others = users.map(({ id }) => id).filter((id) => id !== caller.userId);
    const since = new Date(this.clock.now().getTime() - RELATION_DAYS * DAY_MS);
    const visible = await this.relations.sharing(caller.userId, others, since);
    return wanted.map((email) => {
      const user = users.find((one) => normalizeEmail(one.email) === email);
      return user && (user.id === caller.userId || visible.has(user.id))
        ? personOf(user)
        : unseen(email);
    });
  }
}

function personOf(user: CalendarUser): Person {
  const { id, email, displayName } = user;
  const name = displayName ? { name: displayName } : {};
  return { userId: id, outcome: { email, ...name, status: 'success' } };
}

/** The same for somebody unknown and for somebody who shares nothing. */
function unseen(email: string): Person {
  const message = `${email} does not share busy times with you.`;
  return {
    userId: null,
    outcome: { email, status: 'failure', error: { code: 'NOT_FOUND', message } },
  };
}

function zoneOf(input: { timezone?: string }, caller: CalendarCaller): string {
  return input.timezone ? requireZone(input.timezone, 'timezone') : caller.timezone;
}

function windowOf(startAt: string, endAt: string, zone: string): TimeWindow {
  const window = rangeWindow(startAt, endAt, zone);
  const days = (window.to.getTime() - window.from.getTime()) / DAY_MS;
  if (days > AVAILABILITY_WINDOW_MAX_DAYS) {
    throw invalidField(
      'end_at',
      `must be at most ${AVAILABILITY_WINDOW_MAX_DAYS} days after start_at.`,
    );
  }
  return window;
}

function rangeOf(window: TimeWindow) {
  return { range: { from: window.firstDate, to: window.lastDate }, timezone: window.zone };
}

function spansOf(intervals: Interval[], zone: string): TimeSpan[] {
  return intervals.map(({ from, to }) => ({
    startAt: formatInstant(new Date(from), zone),
    endAt: formatInstant(new Date(to), zone),
  }));
}
