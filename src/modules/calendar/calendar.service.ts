import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import {
  CalendarConflictsService,
  overlapsAmong,
  timed,
  type TimedEvent,
} from './calendar-conflicts.service.js';
import {
  CalendarCreationsRepository,
  fingerprintOf,
  type Creation,
} from './calendar-creations.repository.js';
import { CalendarDeletionService } from './calendar-deletion.service.js';
import { CalendarEditingService } from './calendar-editing.service.js';
import type { CalendarCaller } from './calendar.caller.js';
import { keyUsed, timeTaken } from './calendar.errors.js';
import { CalendarSeriesLimit } from './calendar-series-limit.js';
import { CONFLICTS_SHOWN } from './calendar.limits.js';
import { CalendarRepository } from './calendar.repository.js';
import { CALENDAR_USERS, type CalendarUser, type CalendarUsers } from './calendar.users.js';
import type {
  CreateEventsInput,
  DeleteEventInput,
  EventDraft,
  UpdateEventInput,
} from './dto/event-input.dto.js';
import type {
  CreateBatchView,
  CreatedEventView,
  CreateOutcome,
  DeleteEventOutput,
  EventConflict,
  UpdateEventOutput,
} from './dto/write-output.dto.js';
import { draftEvent, type DraftFacts } from './event-draft.js';
import { isExpanded, type EventFacts } from './event-facts.js';
import { EventPresenter } from './event-presenter.js';
import { toSummaryView } from './event-view.js';
import { emailsOf, type WantedAttendee } from './rules/attendees.js';
import { failedOutcome, failureOfAll } from './rules/batch.js';
import { seenFrom } from './rules/placing.js';
import { refuseFields, requireField } from '../../common/required-fields.js';

/** Fields of one new event, which a batch names in each of its events. */
const SINGLE_EVENT_FIELDS = [
  'title',
  'start_at',
  'end_at',
  'duration_minutes',
  'all_day',
  'start_date',
  'end_date',
  'timezone',
  'location',
  'notes',
  'attendees',
  'rrule',
  'exdates',
  'rdates',
  'floating',
  'reminders',
] as const satisfies (keyof EventDraft)[];

/** An event that was drafted, or why not. */
type Drafted = { draft: EventDraft; event: EventFacts } | { draft: EventDraft; error: unknown };

/** Creating events, and the one door to changing and deleting them. */
@Injectable()
export class CalendarService {
  constructor(
    private readonly repository: CalendarRepository,
    private readonly creations: CalendarCreationsRepository,
    private readonly conflicts: CalendarConflictsService,
    private readonly editing: CalendarEditingService,
    private readonly deletion: CalendarDeletionService,
    private readonly seriesLimit: CalendarSeriesLimit,
    private readonly presenter: EventPresenter,
    @Inject(CALENDAR_USERS) private readonly users: CalendarUsers,
    private readonly uow: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * Creates one event, or the batch `events`, of which each succeeds or fails alone. Repeated under
   * one `idempotency_key` it answers what it answered first.
   * @throws INVALID_ACTION_INPUT; LIMIT_EXCEEDED for a series too many; CONFLICT when the time is taken and `on_conflict` refuses that,
   * or the key stands for another input; for a batch only when no event of it could be created.
   */
  async create(input: CreateEventsInput, caller: CalendarCaller): Promise<Creation> {
    const { idempotency_key: key, ...creation } = input;
    if (key === undefined) return this.uow.run(() => this.createAny(creation, caller));
    const fingerprint = fingerprintOf(creation);
    return this.uow.run(async () => {
      const now = this.clock.now();
      const earlier = await this.creations.begin(caller.userId, key, fingerprint, now);
      if (earlier) {
        if (earlier.fingerprint !== fingerprint || !earlier.result) throw keyUsed();
        return earlier.result;
      }
      const result = await this.createAny(creation, caller);
      await this.creations.finish(caller.userId, key, result);
      return result;
    });
  }

  /** Changes an event, a series or a part of it; see CalendarEditingService. */
  update(input: UpdateEventInput, caller: CalendarCaller): Promise<UpdateEventOutput> {
    return this.editing.update(input, caller);
  }

  /** Deletes an event, a series or a part of it; see CalendarDeletionService. */
  delete(input: DeleteEventInput, caller: CalendarCaller): Promise<DeleteEventOutput> {
    return this.deletion.delete(input, caller);
  }

  /** What `delete` would delete; changes nothing. @throws as `delete`. */
  previewDelete(input: DeleteEventInput, caller: CalendarCaller) {
    return this.deletion.preview(input, caller);
  }

  private async createAny(input: CreateEventsInput, caller: CalendarCaller): Promise<Creation> {
    const refuse = input.on_conflict === 'refuse';
    if (refuse) await this.repository.serializeCreations(caller.userId);
    if (!input.events) {
      const draft = { ...input, title: requireField(input, 'title') };
      return this.createOne(draft, refuse, caller);
    }
    const { events, ...others } = input;
    refuseFields(others, SINGLE_EVENT_FIELDS, 'does not go with events; put it into each of them.');
    return this.createBatch(events, refuse, caller);
  }

  private async createOne(
    draft: EventDraft,
    refuse: boolean,
    caller: CalendarCaller,
  ): Promise<CreatedEventView> {
    const event = draftEvent(draft, caller, await this.draftFacts(draft.attendees ?? []));
    const [conflicts = []] = await this.conflicts.find([event], caller);
    if (refuse && conflicts.length > 0) throw timeTaken(conflicts);
    await this.insert(event);
    const seen = { ...event, schedule: seenFrom(event.schedule, caller.timezone) };
    const view = await this.presenter.presentOne(seen, caller.userId);
    return { ...view, ...conflictsOf(conflicts) };
  }

  private async createBatch(
    drafts: EventDraft[],
    refuse: boolean,
    caller: CalendarCaller,
  ): Promise<CreateBatchView> {
    const facts = await this.draftFacts(drafts.flatMap((draft) => draft.attendees ?? []));
    const drafted = drafts.map((draft) => tryDraft(draft, caller, facts));
    const events = drafted.flatMap((entry) => ('event' in entry ? [entry.event] : []));
    const found = await this.conflicts.find(events, caller);
    const stored = new Map(events.map((event, index) => [event.id, found[index] ?? []]));

    const items: CreateOutcome[] = [];
    const created: TimedEvent[] = [];
    for (const [index, entry] of drafted.entries()) {
      try {
        if ('error' in entry) throw entry.error;
        const { event } = entry;
        const own = timed(event, caller.timezone);
        const among = overlapsAmong(own, created);
        const conflicts = [...(stored.get(event.id) ?? []), ...among].slice(0, CONFLICTS_SHOWN);
        if (refuse && conflicts.length > 0) throw timeTaken(conflicts);
        // A savepoint each, so that one which the database refuses does not undo the others.
        await this.uow.run(() => this.insert(event));
        created.push(own);
        items.push({
          index,
          status: 'success',
          ...toSummaryView(event),
          ...conflictsOf(conflicts),
        });
      } catch (error) {
        const { title } = entry.draft;
        items.push({ index, status: 'failure', title, error: failedOutcome(error) });
      }
    }
    const failed = items.length - created.length;
    if (created.length === 0) throw failureOfAll('events', items);
    return { items, count: created.length, failed };
  }

  private async insert(event: EventFacts): Promise<void> {
    await this.repository.insert(event);
    if (isExpanded(event)) await this.seriesLimit.assertKept(event.ownerId, this.clock.now());
  }

  private async draftFacts(wanted: WantedAttendee[]): Promise<DraftFacts> {
    const emails = emailsOf(wanted);
    const users: CalendarUser[] = emails.length > 0 ? await this.users.findByEmails(emails) : [];
    return { users, now: this.clock.now() };
  }
}

function tryDraft(draft: EventDraft, caller: CalendarCaller, facts: DraftFacts): Drafted {
  try {
    return { draft, event: draftEvent(draft, caller, facts) };
  } catch (error) {
    return { draft, error };
  }
}

function conflictsOf(conflicts: EventConflict[]): { conflicts?: EventConflict[] } {
  return conflicts.length > 0 ? { conflicts } : {};
}
