import { Inject, Injectable } from '@nestjs/common';
import { StewardError } from '../../../common/steward-error.js';
import type { CalendarCaller } from '../calendar.caller.js';
import { eventNotFound, invalidField } from '../calendar.errors.js';
import { CALENDAR_USERS, type CalendarUsers } from '../calendar.users.js';
import type { EventFacts } from '../event-facts.js';
import { assertMayRead, standingOf } from '../rules/access.js';
import { parseEventId } from '../rules/event-id.js';
import { refuseFields } from '../../../common/required-fields.js';
import type { TimeWindow } from '../rules/time-window.js';
import type { ExportIcsInput, ExportIcsOutput } from './dto/export.dto.js';
import { windowOf } from './export-window.js';
import {
  ICAL_EXPORT_MAX_EVENTS,
  ICAL_TEXT_MAX_CHARS,
  ICAL_TEXT_MAX_EVENTS,
} from './ical.limits.js';
import { IcalRepository } from './ical.repository.js';
import { writeCalendar, type IcalGroup, type WritingOptions } from './ical-writer.js';

export interface ExportOptions extends WritingOptions {
  /** Most events of the file. */
  limit?: number;
}

export interface ExportedCalendar {
  /** An iCalendar file. */
  text: string;
  /** VEVENTs in it: series once, and each of their overrides. */
  count: number;
}

const FOR_MODELS = { limit: ICAL_TEXT_MAX_EVENTS, bare: true };

/** Writing calendars as iCalendar files. */
@Injectable()
export class IcalExportService {
  constructor(
    private readonly repository: IcalRepository,
    @Inject(CALENDAR_USERS) private readonly users: CalendarUsers,
  ) {}

  /**
   * One event; of a series, or of an occurrence of one, the series with its overrides.
   * @throws NOT_FOUND for an event that is not the caller's to see.
   */
  async event(
    eventId: string,
    caller: CalendarCaller,
    options: ExportOptions = {},
  ): Promise<ExportedCalendar> {
    const ref = parseEventId(eventId);
    const found = ref && (await this.repository.find(ref.eventId));
    if (!found) throw eventNotFound();
    assertMayRead(standingOf(found, caller.userId));
    return this.write([found], caller.userId, options);
  }

  /**
   * Own and accepted events that reach into the window, series whole; without a window all of them.
   * @throws LIMIT_EXCEEDED when there are more than `limit`.
   */
  async all(
    window: TimeWindow | undefined,
    caller: CalendarCaller,
    options: ExportOptions = {},
  ): Promise<ExportedCalendar> {
    const { limit = ICAL_EXPORT_MAX_EVENTS } = options;
    const events = await this.repository.exported(caller.userId, window, limit + 1);
    return this.write(events, caller.userId, options);
  }

  /**
   * The same for a reader who cannot ask for a shorter range: of a window with more than `limit`
   * events the series, and then those that start nearest to `now`.
   */
  async nearest(
    window: TimeWindow,
    now: Date,
    caller: CalendarCaller,
    options: ExportOptions = {},
  ): Promise<ExportedCalendar> {
    const { limit = ICAL_EXPORT_MAX_EVENTS } = options;
    const events = await this.repository.exportedNearest(caller.userId, window, now, limit);
    return this.write(events, caller.userId, options);
  }

  /**
   * `calendar.export_ics`: an event or a range, small enough for a model to read, and without what
   * the calendar only carries.
   * @throws INVALID_ACTION_INPUT, NOT_FOUND, LIMIT_EXCEEDED
   */
  async small(input: ExportIcsInput, caller: CalendarCaller): Promise<ExportIcsOutput> {
    const { event_id: eventId, ...range } = input;
    if (eventId !== undefined) {
      refuseFields(input, ['start_at', 'end_at'], 'does not go with event_id.');
    }
    const window = windowOf(range, caller.timezone);
    if (eventId === undefined && !window) throw invalidField('event_id', 'or a range is needed.');
    const { text, count } =
      eventId === undefined
        ? await this.all(window, caller, FOR_MODELS)
        : await this.event(eventId, caller, FOR_MODELS);
    if (text.length > ICAL_TEXT_MAX_CHARS) {
      throw new StewardError(
        'LIMIT_EXCEEDED',
        `A file in a result has at most ${ICAL_TEXT_MAX_CHARS} characters; name a shorter range, or export it over HTTP.`,
      );
    }
    return { ics: text, count };
  }

  private async write(
    events: EventFacts[],
    userId: string,
    { limit = ICAL_EXPORT_MAX_EVENTS, ...writing }: ExportOptions,
  ): Promise<ExportedCalendar> {
    const series = events.filter((event) => event.recurrence).map(({ id }) => id);
    const overrides = await this.repository.overridesOf(series, limit + 1);
    const visible = overrides.filter((event) => standingOf(event, userId).role !== 'stranger');
    const count = events.length + visible.length;
    if (count > limit) throw tooMuch(limit);
    const groups = groupsOf(events, visible);
    const organizers = await this.users.findByIds([...new Set(events.map((one) => one.ownerId))]);
    const byId = new Map(organizers.map((user) => [user.id, user]));
    return { text: writeCalendar(groups, byId, writing), count };
  }
}

function groupsOf(events: EventFacts[], overrides: EventFacts[]): IcalGroup[] {
  const groups = new Map<string, IcalGroup>(
    events.map((event) => [event.id, { event, overrides: [] }]),
  );
  for (const override of overrides) {
    groups.get(override.occurrence?.seriesId ?? '')?.overrides.push(override);
  }
  return [...groups.values()];
}

function tooMuch(limit: number): StewardError {
  return new StewardError(
    'LIMIT_EXCEEDED',
    `An export has at most ${limit} events; name a shorter range with start_at and end_at.`,
  );
}
