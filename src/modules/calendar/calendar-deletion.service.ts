import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { CalendarTargets, scopeOf, type EventTarget } from './calendar-targets.service.js';
import type { CalendarCaller } from './calendar.caller.js';
import { CalendarRepository } from './calendar.repository.js';
import type { DeleteEventInput } from './dto/event-input.dto.js';
import type { Scope } from './dto/recurrence-fields.js';
import type { DeleteEventOutput } from './dto/write-output.dto.js';
import type { EventFacts } from './event-facts.js';
import { toSummaryView } from './event-view.js';
import { assertMayRead, assertOwner, standingOf } from './rules/access.js';
import { checkedRecurrence, firstOccurrence, type Recurrence } from './rules/recurrence.js';
import { splitAt } from './rules/series-edit.js';
import { startWall, type WallTime } from './rules/wall-time.js';

/** Deleting events, whole series, or a part of one. */
@Injectable()
export class CalendarDeletionService {
  constructor(
    private readonly targets: CalendarTargets,
    private readonly repository: CalendarRepository,
    private readonly uow: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * Deletes an event of the caller; of a series as much as the scope says.
   * @throws NOT_FOUND; FORBIDDEN for someone who is only invited; INVALID_ACTION_INPUT
   */
  async delete(input: DeleteEventInput, caller: CalendarCaller): Promise<DeleteEventOutput> {
    return this.uow.run(async () => {
      const target = await this.targets.lock(input.event_id);
      const scope = checkedScope(target, input, caller);
      if (scope === 'this') await this.deleteOne(target);
      else if (scope === 'this_and_following') await this.deleteFollowing(target);
      else await this.repository.delete([target.root.id]);
      return { ...shownOf(target, scope), deleted: true };
    });
  }

  /** What `delete` would delete; changes nothing. @throws as `delete`. */
  async preview(input: DeleteEventInput, caller: CalendarCaller) {
    const target = await this.targets.find(input.event_id);
    return shownOf(target, checkedScope(target, input, caller));
  }

  private async deleteOne({ root, recurrenceId, override }: EventTarget): Promise<void> {
    const { recurrence } = root;
    if (!recurrence || recurrenceId === null) throw new Error('an occurrence was to be deleted');
    if (override) await this.repository.delete([override.id]);
    const exdates = [...recurrence.exdates, recurrenceId];
    await this.shorten(root, { ...recurrence, exdates });
  }

  private async deleteFollowing({ root, recurrenceId }: EventTarget): Promise<void> {
    const { recurrence } = root;
    if (!recurrence || recurrenceId === null) throw new Error('an occurrence was to be deleted');
    const times = { start: startWall(root.schedule), zone: root.schedule.timezone, recurrence };
    const { before } = splitAt(times, recurrenceId);
    if (!before) return this.repository.delete([root.id]);
    const overrides = await this.repository.overrides(root.id);
    const later = overrides.filter(({ occurrence }) => isFrom(occurrence, recurrenceId));
    await this.repository.delete(later.map((override) => override.id));
    await this.shorten(root, before);
  }

  /** What is left of the series; a series of which nothing is left goes. */
  private async shorten(root: EventFacts, recurrence: Recurrence): Promise<void> {
    const start = startWall(root.schedule);
    const checked = checkedRecurrence(start, recurrence);
    if (firstOccurrence(start, checked, root.schedule.timezone) === null) {
      return this.repository.delete([root.id]);
    }
    await this.repository.update({
      ...root,
      recurrence: checked,
      sequence: root.sequence + 1,
      version: root.version + 1,
      updatedAt: this.clock.now(),
    });
  }
}

function isFrom(occurrence: EventFacts['occurrence'], at: WallTime): boolean {
  return occurrence !== null && occurrence.recurrenceId >= at;
}

function checkedScope(target: EventTarget, input: DeleteEventInput, caller: CalendarCaller): Scope {
  assertMayRead(standingOf(target.event, caller.userId));
  assertOwner(standingOf(target.root, caller.userId), 'delete it; you can reject the invitation');
  return scopeOf(target, input.scope);
}

function shownOf(target: EventTarget, scope: Scope) {
  const scoped = target.root.recurrence ? { scope } : {};
  return { ...toSummaryView(scope === 'all' ? target.root : target.event), ...scoped };
}
