import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { newId } from '../../common/ids.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { CalendarConflictsService } from './calendar-conflicts.service.js';
import { CalendarSeriesLimit } from './calendar-series-limit.js';
import { CalendarTargets, scopeOf, type EventTarget } from './calendar-targets.service.js';
import type { CalendarCaller } from './calendar.caller.js';
import { timeTaken, versionConflict } from './calendar.errors.js';
import { CalendarRepository } from './calendar.repository.js';
import { CALENDAR_USERS, type CalendarUsers } from './calendar.users.js';
import type { UpdateEventInput } from './dto/event-input.dto.js';
import type { Scope } from './dto/recurrence-fields.js';
import type { EventConflict, UpdateEventOutput } from './dto/write-output.dto.js';
import { changeEvent, type DraftFacts } from './event-draft.js';
import { isExpanded, type EventFacts } from './event-facts.js';
import { EventPresenter } from './event-presenter.js';
import { changesBetween } from './event-view.js';
import { assertMayEdit, assertOwner, standingOf } from './rules/access.js';
import { emailsOf } from './rules/attendees.js';
import { followSeries, isSameTime, newOverride, resetAnswers } from './rules/following.js';
import { seenFrom } from './rules/placing.js';
import { occurrenceSchedule } from './rules/recurrence.js';
import { refuseFields } from '../../common/required-fields.js';
import { changedSchedule } from './rules/schedule.js';
import { movedWall, splitAt } from './rules/series-edit.js';
import { startWall } from './rules/wall-time.js';

/** An event before and after a change, and how the change is written. */
interface Edit {
  before: EventFacts;
  after: EventFacts;
  write: (after: EventFacts) => Promise<void>;
}

/** Changing events, whole series, or a part of one. */
@Injectable()
export class CalendarEditingService {
  constructor(
    private readonly targets: CalendarTargets,
    private readonly repository: CalendarRepository,
    private readonly conflicts: CalendarConflictsService,
    private readonly seriesLimit: CalendarSeriesLimit,
    private readonly presenter: EventPresenter,
    @Inject(CALENDAR_USERS) private readonly users: CalendarUsers,
    private readonly uow: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * Changes an event of the caller, or one they were invited to edit. A change that changes nothing
   * leaves the version as it is. Who had accepted is asked again when the time changes; then also
   * what the new time overlaps is reported, as by a creation.
   * @throws NOT_FOUND, FORBIDDEN, INVALID_ACTION_INPUT; CONFLICT for `expected_version`, and when the
   * new time is taken and `on_conflict` refuses that.
   */
  async update(input: UpdateEventInput, caller: CalendarCaller): Promise<UpdateEventOutput> {
    return this.uow.run(async () => {
      const refuse = input.on_conflict === 'refuse';
      // Before the event's own lock, as everywhere.
      if (refuse) await this.repository.serializeCreations(caller.userId);
      const target = await this.targets.lock(input.event_id);
      const scope = this.authorize(target, input, caller);
      const facts = await this.draftFacts(input);
      const edit = await this.edit(scope, target, input, facts);
      const { before } = edit;

      const retimed =
        !isSameTime(before.schedule, edit.after.schedule) ||
        JSON.stringify(before.recurrence) !== JSON.stringify(edit.after.recurrence);
      const answers = retimed
        ? resetAnswers(edit.after.attendees, caller.userId)
        : { attendees: edit.after.attendees, reset: [] };
      const after = {
        ...edit.after,
        attendees: answers.attendees,
        sequence: edit.after.sequence + (retimed ? 1 : 0),
      };
      const [was, is] = await this.presenter.presentPair(
        seenBy(before, caller),
        seenBy(after, caller),
        caller.userId,
      );
      const changes = changesBetween(was, is);
      const scoped = target.root.recurrence ? { scope } : {};
      if (changes.length === 0) return { ...was, changes, ...scoped };
      const overlaps = retimed ? await this.overlapsOf(after, target, caller) : [];
      if (refuse && overlaps.length > 0) throw timeTaken(overlaps);
      await edit.write(after);
      await this.keepLimit(after, target, facts.now);
      const asked = answers.reset.map(({ name, email }) => name ?? email ?? '');
      return {
        ...is,
        changes,
        ...scoped,
        ...(asked.length > 0 ? { askedAgain: asked } : {}),
        ...(overlaps.length > 0 ? { conflicts: overlaps } : {}),
      };
    });
  }

  /** What did not have to be expanded before is one more of those that do. */
  private async keepLimit(after: EventFacts, target: EventTarget, now: Date): Promise<void> {
    const was = [target.root, target.override].find((stored) => stored?.id === after.id);
    if (!isExpanded(after) || (was && isExpanded(was))) return;
    await this.seriesLimit.assertKept(after.ownerId, now);
  }

  private async overlapsOf(
    after: EventFacts,
    { root }: EventTarget,
    caller: CalendarCaller,
  ): Promise<EventConflict[]> {
    const [found = []] = await this.conflicts.find([after], caller, root.id);
    return found;
  }

  private authorize(target: EventTarget, input: UpdateEventInput, caller: CalendarCaller): Scope {
    const { event, root } = target;
    assertMayEdit(standingOf(event, caller.userId));
    const scope = scopeOf(target, input.scope);
    const base = scope === 'this' ? event : root;
    const standing = standingOf(base, caller.userId);
    assertMayEdit(standing);
    if (input.attendees) assertOwner(standing, 'change its attendees');
    if (input.reminders) assertOwner(standing, 'change its reminders');
    const expected = input.expected_version ?? base.version;
    if (expected !== base.version) throw versionConflict(expected, base.version);
    return scope;
  }

  private edit(
    scope: Scope,
    target: EventTarget,
    input: UpdateEventInput,
    facts: DraftFacts,
  ): Promise<Edit> {
    if (scope === 'this') return this.editOne(target, input, facts);
    if (scope === 'this_and_following') return this.editFollowing(target, input, facts);
    return this.editAll(target, input, facts);
  }

  /** One occurrence: it becomes, or is, a row of its own. */
  private async editOne(
    { root, recurrenceId, override }: EventTarget,
    input: UpdateEventInput,
    facts: DraftFacts,
  ): Promise<Edit> {
    refuseFields(
      input,
      ['rrule', 'exdates', 'rdates'],
      'belongs to the whole series; use scope all or this_and_following.',
    );
    if (recurrenceId === null) throw new Error('an occurrence was to be edited without its name');
    const row = override ?? newOverride(root, recurrenceId, facts.now);
    const after = {
      ...changeEvent(row, input, facts),
      version: override ? row.version + 1 : row.version,
      updatedAt: facts.now,
    };
    return {
      before: row,
      after,
      write: async (changed) => {
        if (override) {
          await this.repository.update(changed);
          await this.repository.replaceAttendees([changed]);
          return;
        }
        await this.targets.storeOverride(root.id, changed);
      },
    };
  }

  /** A single event, or every occurrence. Named by an occurrence, the series moves as it does. */
  private async editAll(
    { root, recurrenceId }: EventTarget,
    input: UpdateEventInput,
    facts: DraftFacts,
  ): Promise<Edit> {
    let schedule = changedSchedule(root.schedule, input);
    if (recurrenceId !== null) {
      const moved = changedSchedule(occurrenceSchedule(root.schedule, recurrenceId), input);
      const start = startWall(root.schedule);
      schedule = occurrenceSchedule(moved, movedWall(start, recurrenceId, startWall(moved)));
    }
    const after = {
      ...changeEvent(root, input, facts, schedule),
      version: root.version + 1,
      updatedAt: facts.now,
    };
    return {
      before: root,
      after,
      write: async (changed) => {
        await this.repository.update(changed);
        await this.repository.replaceAttendees([changed]);
        if (!root.recurrence) return;
        const overrides = await this.repository.overrides(root.id);
        const { kept, gone } = followSeries(overrides, root, changed);
        await this.repository.delete(gone.map((override) => override.id));
        await this.repository.rewrite(kept);
      },
    };
  }

  /** The series ends before the occurrence, and a new one goes on from it. */
  private async editFollowing(
    target: EventTarget,
    input: UpdateEventInput,
    facts: DraftFacts,
  ): Promise<Edit> {
    const { root, recurrenceId } = target;
    const { recurrence } = root;
    if (recurrenceId === null || !recurrence) throw new Error('a split needs an occurrence');
    const times = { start: startWall(root.schedule), zone: root.schedule.timezone, recurrence };
    const split = splitAt(times, recurrenceId);
    if (!split.before) return this.editAll(target, input, facts);
    const id = newId('evt');
    const rest: EventFacts = {
      ...root,
      id,
      uid: `${id}@steward`,
      schedule: occurrenceSchedule(root.schedule, recurrenceId),
      recurrence: split.after,
      sequence: 0,
      version: 1,
      createdAt: facts.now,
      updatedAt: facts.now,
    };
    const ended = {
      ...root,
      recurrence: split.before,
      sequence: root.sequence + 1,
      version: root.version + 1,
      updatedAt: facts.now,
    };
    return {
      before: rest,
      after: changeEvent(rest, input, facts),
      write: async (changed) => {
        const overrides = await this.repository.overrides(root.id);
        const later = overrides.filter(
          ({ occurrence }) => occurrence !== null && occurrence.recurrenceId >= recurrenceId,
        );
        const { kept } = followSeries(later, rest, changed);
        await this.repository.delete(later.map((override) => override.id));
        await this.repository.update(ended);
        await this.repository.insert(changed);
        await this.repository.insertAll(kept);
      },
    };
  }

  private async draftFacts({ attendees = [] }: UpdateEventInput): Promise<DraftFacts> {
    const emails = emailsOf(attendees);
    const users = emails.length > 0 ? await this.users.findByEmails(emails) : [];
    return { users, now: this.clock.now() };
  }
}

function seenBy(event: EventFacts, caller: CalendarCaller): EventFacts {
  return { ...event, schedule: seenFrom(event.schedule, caller.timezone) };
}
