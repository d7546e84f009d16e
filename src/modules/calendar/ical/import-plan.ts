import { newId } from '../../../common/ids.js';
import { ATTENDEES_MAX, OVERRIDES_MAX } from '../calendar.limits.js';
import type { EventFacts } from '../event-facts.js';
import { planAttendees, type AttendeeFacts } from '../rules/attendees.js';
import type { WallTime } from '../rules/wall-time.js';
import { sameContent } from './event-equality.js';
import type { IcalEvent } from './ical-event.js';
import { IcalFault } from './ical-fault.js';
import type { IcalFile, IcalProblem, ReadIcalEvent } from './ical-file.js';
import { occurrenceName } from './ical-recurrence.js';

export interface ImportFacts {
  ownerId: string;
  now: Date;
  /** The owner's events with one of the file's UIDs, overrides too. */
  existing: EventFacts[];
  /** UIDs of other people's events that stand in the owner's calendar already. */
  shared: ReadonlySet<string>;
}

export interface ImportPlan {
  /** Series before their overrides. */
  created: EventFacts[];
  updated: EventFacts[];
  unchanged: number;
  skipped: IcalProblem[];
  /** Series that are single events now: their overrides stand for nothing any more. */
  unrepeated: string[];
}

/**
 * What a file changes in a calendar (pure): an event is the same when UID and RECURRENCE-ID are, so
 * that importing a file again changes nothing. It never deletes, and takes no invitation away.
 */
export function planImport(file: IcalFile, facts: ImportFacts): ImportPlan {
  return new ImportPlanner(file, facts).plan();
}

class ImportPlanner {
  private readonly skipped: IcalProblem[];
  /** What the calendar will hold, by UID and occurrence. */
  private readonly after = new Map<string, EventFacts>();
  private readonly before = new Map<string, EventFacts>();
  private readonly overrides = new Map<string, number>();
  private readonly unread: Set<string>;
  private readonly touched = new Set<string>();
  private readonly same = new Set<string>();

  constructor(
    private readonly file: IcalFile,
    private readonly facts: ImportFacts,
  ) {
    this.skipped = [...file.skipped];
    this.unread = new Set(file.skipped.flatMap(({ uid }) => (uid ? [uid] : [])));
    for (const event of facts.existing) {
      this.before.set(keyOf(event.uid, event.occurrence?.recurrenceId), event);
      if (event.occurrence) this.countOverride(event.occurrence.seriesId);
    }
  }

  plan(): ImportPlan {
    const masters = this.file.events.filter(({ event }) => !event.replaces);
    const others = this.file.events.filter(({ event }) => event.replaces);
    for (const read of this.newest(masters, () => '')) this.planEvent(read.event, read.event.uid);
    for (const read of this.newest(others, rawName)) this.planOverride(read);
    const planned = [...this.touched].flatMap((key) => this.after.get(key) ?? []);
    return {
      created: planned.filter((event) => event.version === 1),
      updated: planned.filter((event) => event.version > 1),
      unchanged: this.same.size,
      skipped: this.skipped.sort((a, b) => a.line - b.line),
      unrepeated: this.unrepeated(),
    };
  }

  private unrepeated(): string[] {
    return [...this.touched].flatMap((key) => {
      const before = this.before.get(key);
      return before?.recurrence && !this.after.get(key)?.recurrence ? [before.id] : [];
    });
  }

  /** Of several versions of one event in a file, that with the highest SEQUENCE, else the last. */
  private newest(
    events: ReadIcalEvent[],
    name: (read: ReadIcalEvent) => string,
  ): Iterable<ReadIcalEvent> {
    const kept = new Map<string, ReadIcalEvent>();
    for (const read of events) {
      const key = keyOf(read.event.uid, name(read));
      const earlier = kept.get(key);
      const [older, newer] =
        earlier && earlier.event.sequence > read.event.sequence ? [read, earlier] : [earlier, read];
      if (older) this.skip(older.event, `a newer version of it is on line ${newer.event.line}.`);
      kept.set(key, newer);
    }
    return kept.values();
  }

  /** An event, a series, or a single occurrence of a series that the calendar does not have. */
  private planEvent(event: IcalEvent, uid: string): void {
    if (event.cancelled) {
      this.skip(event, 'it is cancelled.');
      return;
    }
    if (this.facts.shared.has(uid)) {
      this.skip(event, 'it is an event of somebody else that is in your calendar already.');
      return;
    }
    const key = keyOf(uid, null);
    const before = this.before.get(key);
    const after = this.merge(event, uid, before, null);
    this.settle(key, event, before, after);
  }

  private planOverride({ event, context }: ReadIcalEvent): void {
    const { uid, replaces } = event;
    const series = this.after.get(keyOf(uid, null)) ?? this.before.get(keyOf(uid, null));
    if (!replaces || !series?.recurrence) {
      if (series || this.unread.has(uid) || this.facts.shared.has(uid)) {
        this.skip(event, 'its series is not imported, or is no series.');
      } else {
        // People invited to one occurrence get only that one: it is an event of its own then.
        this.planEvent(event, `${uid}#${rawName({ event, context })}`);
      }
      return;
    }
    let name: WallTime;
    try {
      const timing = { ...context, recurs: false };
      name = occurrenceName(replaces.moment, replaces.line, series.schedule, timing);
    } catch (error) {
      if (!(error instanceof IcalFault)) throw error;
      this.skipped.push({ line: error.line, reason: error.reason, uid });
      return;
    }
    if (event.cancelled) {
      this.cancelOccurrence(event, series, name);
      return;
    }
    const key = keyOf(uid, name);
    const before = this.before.get(key);
    if (!before && this.countOverride(series.id) > OVERRIDES_MAX) {
      this.skip(event, `at most ${OVERRIDES_MAX} occurrences of a series may differ from it.`);
      return;
    }
    const occurrence = { seriesId: series.id, recurrenceId: name };
    this.settle(key, event, before, this.merge(event, uid, before, occurrence));
  }

  /** A cancelled occurrence is one that the series does not have. */
  private cancelOccurrence(event: IcalEvent, series: EventFacts, name: WallTime): void {
    const { recurrence } = series;
    if (!recurrence || recurrence.exdates.includes(name)) return;
    const key = keyOf(event.uid, null);
    const before = this.before.get(key);
    const exdates = [...recurrence.exdates, name].sort();
    const version = this.touched.has(key) ? series.version : series.version + 1;
    const after = { ...series, recurrence: { ...recurrence, exdates }, version };
    const same = before !== undefined && sameContent(before, after);
    this.after.set(key, same ? before : after);
    // The file says it in two places: only both together are what the calendar has.
    const [set, other] = same ? [this.same, this.touched] : [this.touched, this.same];
    set.add(key);
    other.delete(key);
  }

  private settle(
    key: string,
    event: IcalEvent,
    before: EventFacts | undefined,
    after: EventFacts,
  ): void {
    if (before && before.sequence > event.sequence) {
      this.skip(
        event,
        `the calendar has a newer version (SEQUENCE ${before.sequence}, here ${event.sequence}).`,
      );
    } else if (before && sameContent(before, after)) {
      this.after.set(key, before);
      this.same.add(key);
    } else {
      this.after.set(key, after);
      this.touched.add(key);
    }
  }

  private merge(
    event: IcalEvent,
    uid: string,
    before: EventFacts | undefined,
    occurrence: EventFacts['occurrence'],
  ): EventFacts {
    const { title, location, notes, reminders, sequence, recurrence } = event;
    const { now, ownerId } = this.facts;
    return {
      id: before?.id ?? newId('evt'),
      ownerId,
      uid,
      title,
      schedule: keptZone(event.schedule, before?.schedule),
      recurrence: occurrence ? null : recurrence,
      occurrence,
      location,
      notes,
      reminders,
      sequence,
      version: (before?.version ?? 0) + 1,
      createdAt: before?.createdAt ?? notAfter(event.createdAt, now),
      updatedAt: notAfter(event.updatedAt, now),
      preserved: event.preserved === undefined ? (before?.preserved ?? null) : event.preserved,
      attendees: this.attendees(event, before?.attendees ?? []),
    };
  }

  private attendees(event: IcalEvent, current: AttendeeFacts[]): AttendeeFacts[] {
    const { ownerId, now } = this.facts;
    const named = planAttendees(event.people, { users: [], ownerId, current, now });
    const invited = current.filter(
      (entry) => entry.userId !== null && !named.some(({ userId }) => userId === entry.userId),
    );
    return [...named.slice(0, ATTENDEES_MAX - invited.length), ...invited];
  }

  private countOverride(seriesId: string): number {
    const count = (this.overrides.get(seriesId) ?? 0) + 1;
    this.overrides.set(seriesId, count);
    return count;
  }

  private skip({ line, uid }: IcalEvent, reason: string): void {
    this.skipped.push({ line, reason, uid });
  }
}

function keyOf(uid: string, name: string | null | undefined): string {
  return JSON.stringify([uid, name ?? '']);
}

/** RECURRENCE-ID as the file writes it, before its series says in which zone it is meant. */
function rawName({ event }: ReadIcalEvent): string {
  const moment = event.replaces?.moment;
  if (!moment) return '';
  return (moment.kind === 'date' ? moment.date : moment.local).replace(/[-:]/g, '');
}

/** Dates and floating times have no zone in a file: the event keeps the one it has. */
function keptZone(
  schedule: EventFacts['schedule'],
  before: EventFacts['schedule'] | undefined,
): EventFacts['schedule'] {
  if (schedule.allDay && before?.allDay) return { ...schedule, timezone: before.timezone };
  return schedule;
}

function notAfter(time: Date | null, now: Date): Date {
  return time && time < now ? time : now;
}
