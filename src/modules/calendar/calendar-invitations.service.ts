import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import type { CalendarCaller } from './calendar.caller.js';
import { eventNotFound } from './calendar.errors.js';
import { CalendarRepository } from './calendar.repository.js';
import { CALENDAR_USERS, type CalendarUsers } from './calendar.users.js';
import type { InvitationAnswerOutput, ShareEventOutput } from './dto/write-output.dto.js';
import type { ShareEventInput } from './dto/share-input.dto.js';
import type { EventFacts } from './event-facts.js';
import { toSummaryView } from './event-view.js';
import { assertInvited, assertOwner, standingOf } from './rules/access.js';
import { emailsOf } from './rules/attendees.js';
import { failureOfAll } from './rules/batch.js';
import { planSharing } from './rules/sharing.js';

/** Inviting users of the system to an event, and their answers. */
@Injectable()
export class CalendarInvitationsService {
  constructor(
    private readonly repository: CalendarRepository,
    @Inject(CALENDAR_USERS) private readonly users: CalendarUsers,
    private readonly uow: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * Invites users by email; each target has its own outcome.
   * @throws NOT_FOUND, FORBIDDEN when the caller is not the owner; the first target's error when
   * all of them failed.
   */
  async share(input: ShareEventInput, caller: CalendarCaller): Promise<ShareEventOutput> {
    return this.uow.run(async () => {
      const event = await this.lock(input.event_id);
      assertOwner(standingOf(event, caller.userId), 'share it');
      const users = await this.users.findByEmails(emailsOf(input.with));
      const plan = planSharing(event, input.with, users, this.clock.now());
      const failed = plan.targets.filter((target) => target.status === 'failed').length;
      if (failed === plan.targets.length) throw failureOfAll('with', plan.targets);
      await this.repository.replaceAttendees([{ ...event, attendees: plan.attendees }]);
      const count = plan.targets.length - failed;
      return { ...toSummaryView(event), targets: plan.targets, count, failed };
    });
  }

  /**
   * Writes the caller's answer; repeating it changes nothing, and another answer may follow while
   * the invitation stands.
   * @throws NOT_FOUND; FORBIDDEN for the owner, who is not invited.
   */
  async answer(
    eventId: string,
    status: 'accepted' | 'rejected',
    caller: CalendarCaller,
  ): Promise<InvitationAnswerOutput> {
    return this.uow.run(async () => {
      const event = await this.lock(eventId);
      const standing = standingOf(event, caller.userId);
      assertInvited(standing);
      if (standing.status !== status) {
        await this.repository.answer([eventId], caller.userId, status, this.clock.now());
      }
      return { ...toSummaryView(event), status, permission: standing.permission };
    });
  }

  private async lock(eventId: string): Promise<EventFacts> {
    const event = await this.repository.lock(eventId);
    if (!event) throw eventNotFound();
    return event;
  }
}
