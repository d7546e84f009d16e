import type { CalendarEvent } from './calendar-event.js';
import type { Turn } from './conversation.js';
import { eventsOf } from './tool-step.js';

/**
 * The events that `it` or `the second one` can mean: those of the latest turn that showed any.
 * After a deletion it means nothing: what else that turn had listed was not talked about.
 */
export function focusEvents(previous: readonly Turn[]): CalendarEvent[] {
  for (const turn of previous.toReversed()) {
    const steps = turn.steps.filter((step) => eventsOf(step).length > 0);
    const acted = steps.findLast((step) => step.method !== 'read');
    const source = acted ?? steps.at(-1);
    if (source) return source.method === 'delete' ? [] : eventsOf(source);
  }
  return [];
}
