import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import type { CalendarCaller } from './calendar.caller.js';
import { eventNotFound, versionConflict } from './calendar.errors.js';
import { CalendarRepository } from './calendar.repository.js';
import { CALENDAR_USERS, type CalendarUser, type CalendarUsers } from './calendar.users.js';
import type { CreateEventsInput, EventDraft, UpdateEventInput } from './dto/event-input.dto.js';
import type { EventView } from './dto/event-view.dto.js';
import type {
  CreateBatchView,
  CreateOutcome,
  DeleteEventOutput,
  UpdateEventOutput,
} from './dto/write-output.dto.js';
import { changeEvent, draftEvent, type DraftFacts } from './event-draft.js';
import { EventPresenter } from './event-presenter.js';
import { changesBetween, toSummaryView } from './event-view.js';
import { assertMayEdit, assertOwner, standingOf } from './rules/access.js';
import { emailsOf, type WantedAttendee } from './rules/attendees.js';
import { failedOutcome, failureOfAll } from './rules/batch.js';
import { refuseFields, requireField } from './rules/required-fields.js';

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
] as const satisfies (keyof EventDraft)[];

/** Creating, changing and deleting events: the rules, and in which transaction they hold. */
@Injectable()
export class CalendarService {
  constructor(
    private readonly repository: CalendarRepository,
    private readonly presenter: EventPresenter,
    @Inject(CALENDAR_USERS) private readonly users: CalendarUsers,
    private readonly uow: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * Creates one event, or the batch `events`, of which each succeeds or fails alone.
   * @throws INVALID_ACTION_INPUT; for a batch only when no event of it could be created.
   */
  async create(
    input: CreateEventsInput,
    caller: CalendarCaller,
  ): Promise<EventView | CreateBatchView> {
    if (!input.events) {
      return this.createOne({ ...input, title: requireField(input, 'title') }, caller);
    }
    const { events, ...others } = input;
    refuseFields(others, SINGLE_EVENT_FIELDS, 'does not go with events; put it into each of them.');
    return this.createBatch(events, caller);
  }

  /**
   * Changes an event of the caller, or one they were invited to edit. A change that changes nothing
   * leaves the version as it is.
   * @throws NOT_FOUND, FORBIDDEN, CONFLICT (`expected_version`), INVALID_ACTION_INPUT
   */
  async update(input: UpdateEventInput, caller: CalendarCaller): Promise<UpdateEventOutput> {
    return this.uow.run(async () => {
      const event = await this.repository.lock(input.event_id);
      if (!event) throw eventNotFound();
      const standing = standingOf(event, caller.userId);
      assertMayEdit(standing);
      if (input.attendees) assertOwner(standing, 'change its attendees');
      const expected = input.expected_version ?? event.version;
      if (expected !== event.version) throw versionConflict(expected, event.version);

      const facts = await this.draftFacts(input.attendees ?? []);
      const changed = {
        ...changeEvent(event, input, facts),
        version: event.version + 1,
        updatedAt: facts.now,
      };
      const [before, after] = await this.presenter.presentPair(event, changed, caller.userId);
      const changes = changesBetween(before, after);
      if (changes.length === 0) return { ...before, changes };
      await this.repository.update(changed);
      if (changes.some((change) => change.field === 'attendees')) {
        await this.repository.replaceAttendees([changed]);
      }
      return { ...after, changes };
    });
  }

  /**
   * Deletes an event of the caller.
   * @throws NOT_FOUND; FORBIDDEN for someone who is only invited.
   */
  async delete(eventId: string, caller: CalendarCaller): Promise<DeleteEventOutput> {
    return this.uow.run(async () => {
      const event = await this.repository.lock(eventId);
      if (!event) throw eventNotFound();
      assertOwner(standingOf(event, caller.userId), 'delete it; you can reject the invitation');
      await this.repository.delete([eventId]);
      return { ...toSummaryView(event), deleted: true };
    });
  }

  private async createOne(draft: EventDraft, caller: CalendarCaller): Promise<EventView> {
    const event = draftEvent(draft, caller, await this.draftFacts(draft.attendees ?? []));
    await this.uow.run(() => this.repository.insert(event));
    return this.presenter.presentOne(event, caller.userId);
  }

  private async createBatch(
    drafts: EventDraft[],
    caller: CalendarCaller,
  ): Promise<CreateBatchView> {
    const facts = await this.draftFacts(drafts.flatMap((draft) => draft.attendees ?? []));
    const items = await this.uow.run(async () => {
      const outcomes: CreateOutcome[] = [];
      for (const [index, draft] of drafts.entries()) {
        outcomes.push(await this.createItem(index, draft, caller, facts));
      }
      return outcomes;
    });
    const failed = items.filter((item) => item.status === 'failure').length;
    if (failed === items.length) throw failureOfAll('events', items);
    return { items, count: items.length - failed, failed };
  }

  /** Each item has a savepoint, so that one which the database refuses does not undo the others. */
  private async createItem(
    index: number,
    draft: EventDraft,
    caller: CalendarCaller,
    facts: DraftFacts,
  ): Promise<CreateOutcome> {
    try {
      const event = draftEvent(draft, caller, facts);
      await this.uow.run(() => this.repository.insert(event));
      return { index, status: 'success', ...toSummaryView(event) };
    } catch (error) {
      return { index, status: 'failure', title: draft.title, error: failedOutcome(error) };
    }
  }

  private async draftFacts(wanted: WantedAttendee[]): Promise<DraftFacts> {
    const emails = emailsOf(wanted);
    const users: CalendarUser[] = emails.length > 0 ? await this.users.findByEmails(emails) : [];
    return { users, now: this.clock.now() };
  }
}
