import { Inject, Injectable } from '@nestjs/common';
import { CALENDAR_USERS, type CalendarUsers } from './calendar.users.js';
import type { EventView } from './dto/event-view.dto.js';
import type { EventFacts } from './event-facts.js';
import { toEventView } from './event-view.js';

/** Turns events into views; organizers come from the user port in one call for all of them. */
@Injectable()
export class EventPresenter {
  constructor(@Inject(CALENDAR_USERS) private readonly users: CalendarUsers) {}

  /** The events as `userId` sees them, who must be allowed to see each. */
  async present(events: EventFacts[], userId: string): Promise<EventView[]> {
    if (events.length === 0) return [];
    const owners = await this.users.findByIds([...new Set(events.map((event) => event.ownerId))]);
    const byId = new Map(owners.map((owner) => [owner.id, owner]));
    return events.map((event) => toEventView(event, userId, byId.get(event.ownerId)));
  }

  async presentOne(event: EventFacts, userId: string): Promise<EventView> {
    const [owner] = await this.users.findByIds([event.ownerId]);
    return toEventView(event, userId, owner);
  }

  /** One event before and after a change. */
  async presentPair(
    before: EventFacts,
    after: EventFacts,
    userId: string,
  ): Promise<[EventView, EventView]> {
    const [owner] = await this.users.findByIds([before.ownerId]);
    return [toEventView(before, userId, owner), toEventView(after, userId, owner)];
  }
}
