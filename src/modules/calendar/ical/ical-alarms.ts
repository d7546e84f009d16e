import { plannedReminders, type Reminder } from '../rules/reminders.js';
import { IcalFault } from './ical-fault.js';
import type { IcalComponent } from './ical-components.js';
import { oneMoment } from './ical-moment.js';
import { propertiesOf, rawValue } from './ical-property.js';
import { durationOf, zonedMoment, type ScheduleContext } from './ical-schedule.js';

const TRIGGER = new Set(['TRIGGER']);
const MINUTE_MS = 60_000;

/** When the event that the alarms belong to begins and ends. */
export interface AlarmSpan {
  startAt: Date;
  endAt: Date;
}

/**
 * VALARMs as reminders before the start. One that cannot be such (after the start, too early, broken)
 * is left out with a notice: an alarm is no reason to lose an event.
 */
export function readAlarms(
  event: IcalComponent,
  span: AlarmSpan,
  bounds: { minutes: number; count: number },
  context: ScheduleContext,
): Reminder[] {
  const wanted = event.children.flatMap((alarm) => {
    if (alarm.name !== 'VALARM') return [];
    const action = rawValue(alarm, 'ACTION')?.toUpperCase() ?? 'DISPLAY';
    // Apple's way to say "no alarm".
    if (action === 'NONE' || action === 'PROCEDURE') return [];
    const minutes = minutesBefore(alarm, span, context);
    if (minutes === null) return [];
    if (minutes < 0 || minutes > bounds.minutes) {
      context.notice(alarm.line, 'a reminder after the start, or too early, is left out.');
      return [];
    }
    const method = action === 'EMAIL' ? ('email' as const) : ('popup' as const);
    return [{ minutes_before: minutes, method }];
  });
  const planned = plannedReminders(wanted);
  if (planned.length <= bounds.count) return planned;
  context.notice(event.line, `an event keeps ${bounds.count} reminders; the others are left out.`);
  return planned.slice(-bounds.count);
}

function minutesBefore(
  alarm: IcalComponent,
  span: AlarmSpan,
  context: ScheduleContext,
): number | null {
  try {
    const [trigger] = propertiesOf(alarm, TRIGGER);
    if (!trigger) return null;
    if (String(trigger.values[0]).includes('T') && /^\d/.test(String(trigger.values[0]))) {
      const at = zonedMoment(oneMoment(trigger), trigger.line, context).epochMilliseconds;
      return Math.round((span.startAt.getTime() - at) / MINUTE_MS);
    }
    const offset = durationOf(trigger).total({ unit: 'minutes', relativeTo: '2026-01-01' });
    const length = (span.endAt.getTime() - span.startAt.getTime()) / MINUTE_MS;
    const base = trigger.params['related']?.toUpperCase() === 'END' ? length : 0;
    return Math.round(-offset - base) + 0;
  } catch (error) {
    if (!(error instanceof IcalFault)) throw error;
    context.notice(error.line, error.reason);
    return null;
  }
}
