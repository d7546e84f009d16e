import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { CalendarSeriesLimit } from './calendar-series-limit.js';
import { CalendarTargets, type EventTarget } from './calendar-targets.service.js';
import type { CalendarCaller } from './calendar.caller.js';
import { CalendarRepository } from './calendar.repository.js';
import { CALENDAR_USERS, type CalendarUsers } from './calendar.users.js';
import type { AnswerInviteInput } from './dto/event-input.dto.js';
import type { ShareEventInput } from './dto/share-input.dto.js';
import type { InvitationAnswerOutput, ShareEventOutput } from './dto/write-output.dto.js';
import { isExpanded, type EventFacts } from './event-facts.js';
import { toSummaryView } from './event-view.js';
import { assertInvited, assertMayRead, assertOwner, standingOf } from './rules/access.js';
import { emailsOf } from './rules/attendees.js';
import { failureOfAll } from './rules/batch.js';
import { newOverride } from './rules/following.js';
import { planSharing, type TargetOutcome } from './rules/sharing.js';

/** Outcomes of sharing that leave the list of attendees different. */
const CHANGES: ReadonlySet<TargetOutcome['status']> = new Set(['invited', 'updated', 'withdrawn']);

/** Inviting users of the system to an event, and their answers. */
@Injectable()
export class CalendarInvitationsService {
  constructor(
    private readonly targets: CalendarTargets,
    private readonly repository: CalendarRepository,
    private readonly seriesLimit: CalendarSeriesLimit,
    @Inject(CALENDAR_USERS) private readonly users: CalendarUsers,
    private readonly uow: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * Invites users by email, or withdraws invitations (`permission: none`); each target has its own
   * outcome. A series is shared as a whole, also when one occurrence of it is named. Where that
   * changes the attendees the version grows, so that an update based on the list from before is
   * refused instead of undoing it.
   * @throws NOT_FOUND, FORBIDDEN when the caller is not the owner; the first target's error when
   * all of them failed.
   */
  async share(input: ShareEventInput, caller: CalendarCaller): Promise<ShareEventOutput> {
    return this.uow.run(async () => {
      const { root, event } = await this.targets.lock(input.event_id);
      assertMayRead(standingOf(event, caller.userId));
      assertOwner(standingOf(root, caller.userId), 'share it');
      const users = await this.users.findByEmails(emailsOf(input.with));
      const now = this.clock.now();
      const plan = planSharing(root, input.with, users, now);
      const failed = plan.targets.filter((target) => target.status === 'failed').length;
      if (failed === plan.targets.length) throw failureOfAll('with', plan.targets);
      const isChange = plan.targets.some(({ status }) => CHANGES.has(status));
      if (!isChange) return outcomeOf(root, plan.targets, failed);
      const overrides = root.recurrence ? await this.repository.overrides(root.id) : [];
      const shared = [root, ...overrides].map((one) => ({
        ...one,
        attendees: planSharing(one, input.with, users, now).attendees,
        version: one.version + 1,
        updatedAt: now,
      }));
      for (const one of shared) await this.repository.update(one);
      await this.repository.replaceAttendees(shared);
      return outcomeOf(shared[0] ?? root, plan.targets, failed);
    });
  }

  /**
   * Writes the caller's answer; repeating it changes nothing, and another answer may follow while
   * the invitation stands: also who rejected, and so sees the event no more, may accept by its id.
   * An answer leaves the event's version as it is, because it changes nothing that an update writes.
   * Of a series the answer is for all of it while the invitation is open; afterwards the id of an
   * occurrence means that one alone.
   * @throws NOT_FOUND; FORBIDDEN for the owner, who is not invited; LIMIT_EXCEEDED for a series too many.
   */
  async answer(
    input: AnswerInviteInput,
    status: 'accepted' | 'rejected',
    caller: CalendarCaller,
  ): Promise<InvitationAnswerOutput> {
    return this.uow.run(async () => {
      const target = await this.targets.lock(input.event_id);
      const { root, event } = target;
      assertInvited(standingOf(event, caller.userId));
      const scope = answerScope(target, input.scope, caller.userId);
      const answered = scope === 'this' ? event : root;
      const standing = standingOf(answered, caller.userId);
      assertInvited(standing);
      const now = this.clock.now();
      if (scope === 'all') {
        const overrides = root.recurrence ? await this.repository.overrides(root.id) : [];
        const ids = [root, ...overrides].map(({ id }) => id);
        if (standing.status !== status || overrides.length > 0) {
          await this.repository.answer(ids, caller.userId, status, now);
        }
      } else if (standing.status !== status) {
        await this.answerOne(target, status, caller.userId, now);
      }
      if (status === 'accepted' && standing.status !== status && isExpanded(answered)) {
        await this.seriesLimit.assertKept(caller.userId, now);
      }
      const scoped = root.recurrence ? { scope } : {};
      const { permission } = standing;
      return { ...toSummaryView(answered), status, permission, ...scoped };
    });
  }

  /** One occurrence answered by itself becomes a row of its own. */
  private async answerOne(
    { root, recurrenceId, override }: EventTarget,
    status: 'accepted' | 'rejected',
    userId: string,
    now: Date,
  ): Promise<void> {
    if (override) return this.repository.answer([override.id], userId, status, now);
    if (recurrenceId === null) throw new Error('an occurrence was to be answered');
    const own = newOverride(root, recurrenceId, now);
    const attendees = own.attendees.map((attendee) =>
      attendee.userId === userId ? { ...attendee, status, respondedAt: now } : attendee,
    );
    await this.targets.storeOverride(root.id, { ...own, attendees });
  }
}

function outcomeOf(event: EventFacts, targets: TargetOutcome[], failed: number): ShareEventOutput {
  return { ...toSummaryView(event), targets, count: targets.length - failed, failed };
}

function answerScope(
  { root, recurrenceId }: EventTarget,
  wanted: 'this' | 'all' | undefined,
  userId: string,
): 'this' | 'all' {
  if (recurrenceId === null) return 'all';
  if (wanted) return wanted;
  const standing = standingOf(root, userId);
  return standing.role === 'invited' && standing.status === 'pending' ? 'all' : 'this';
}
