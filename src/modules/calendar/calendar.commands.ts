import { isJsonObject } from '../../common/json.js';
import {
  CliContext,
  CliInput,
  CliMethod,
  CliModule,
  DescribesCall,
  PartialResult,
  type CallContext,
} from '../../tool-router/public.js';
import { AvailabilityService } from './availability/availability.service.js';
import * as availability from './availability/availability.examples.js';
import { FindSlotInput, FreeBusyInput } from './availability/dto/availability-input.dto.js';
import { FindSlotOutput, FreeBusyOutput } from './availability/dto/availability-output.dto.js';
import { CalendarInvitationsService } from './calendar-invitations.service.js';
import { CalendarReadingService } from './calendar-reading.service.js';
import { callerOf } from './calendar.caller.js';
import * as examples from './calendar.examples.js';
import { CalendarService } from './calendar.service.js';
import * as ui from './calendar.ui.js';
import {
  AnswerInviteInput,
  CreateEventsInput,
  DeleteEventInput,
  UpdateEventInput,
} from './dto/event-input.dto.js';
import { ReadEventsOutput } from './dto/event-view.dto.js';
import {
  CreateEventsOutput,
  DeleteEventOutput,
  InvitationAnswerOutput,
  ShareEventOutput,
  UpdateEventOutput,
} from './dto/write-output.dto.js';
import { ReadEventsInput } from './dto/read-input.dto.js';
import { ShareEventInput } from './dto/share-input.dto.js';
import { ExportIcsInput, ExportIcsOutput } from './ical/dto/export.dto.js';
import { ImportIcsInput, ImportReport } from './ical/dto/import.dto.js';
import * as ical from './ical/ical.examples.js';
import { IcalExportService } from './ical/ical-export.service.js';
import { IcalImportService } from './ical/ical-import.service.js';
import { changeText, createText, eventText, shareText } from './ui/call-text.js';

/** The calendar as project_cli shows it; every rule is in the services. */
@CliModule({
  name: 'calendar',
  description:
    "The user's calendar: read, create, update, delete and share events; answer invitations.",
})
export class CalendarCommands {
  constructor(
    private readonly reading: CalendarReadingService,
    private readonly calendar: CalendarService,
    private readonly sharing: CalendarInvitationsService,
    private readonly availability: AvailabilityService,
    private readonly importing: IcalImportService,
    private readonly exporting: IcalExportService,
  ) {}

  @CliMethod({
    name: 'read',
    description:
      'Lists the events of a day or a range, searches for words, or reads one event. Shows own and accepted events, series as their occurrences; include_invitations adds those that wait for an answer. Long lists page: pass nextCursor as cursor.',
    effect: 'read',
    output: ReadEventsOutput,
    examples: examples.READ,
    ui: ui.readCard,
  })
  read(@CliInput() input: ReadEventsInput, @CliContext() context: CallContext) {
    return this.reading.read(input, callerOf(context));
  }

  @CliMethod({
    name: 'create',
    description:
      'Creates an event: title and start_at (with end_at or duration_minutes, else one hour), or all_day with start_date and end_date; or several with events. rrule makes a series; reminders are minutes before. Attendees whose email is a user get an invitation. conflicts lists what it overlaps.',
    effect: 'write',
    output: CreateEventsOutput,
    examples: examples.CREATE,
    ui: ui.createCard,
  })
  async create(@CliInput() input: CreateEventsInput, @CliContext() context: CallContext) {
    const created = await this.calendar.create(input, callerOf(context));
    return 'failed' in created ? outcomeOf(created) : created;
  }

  @CliMethod({
    name: 'update',
    description:
      'Changes the fields given and leaves the others. A new start_at alone moves the event and keeps its length. An empty location or notes removes it; attendees replaces the list. expected_version guards against changes by others. Of a series, scope says how much changes. A new time asks those who had accepted again; conflicts lists what it overlaps.',
    effect: 'write',
    output: UpdateEventOutput,
    examples: examples.UPDATE,
    ui: ui.updateCard,
  })
  update(@CliInput() input: UpdateEventInput, @CliContext() context: CallContext) {
    return this.calendar.update(input, callerOf(context));
  }

  @CliMethod({
    name: 'delete',
    description:
      'Deletes an event of the user, for everyone invited too; of a series as much as scope says. It cannot be undone.',
    effect: 'write',
    risk: 'high',
    output: DeleteEventOutput,
    examples: examples.DELETE,
    ui: ui.deleteCard,
  })
  delete(@CliInput() input: DeleteEventInput, @CliContext() context: CallContext) {
    return this.calendar.delete(input, callerOf(context));
  }

  @CliMethod({
    name: 'share',
    description:
      'Invites users by email to an event of the user, to view it or to edit it; permission none withdraws the invitation. Says for each of them what came of it.',
    effect: 'write',
    output: ShareEventOutput,
    examples: examples.SHARE,
    ui: ui.shareCard,
  })
  async share(@CliInput() input: ShareEventInput, @CliContext() context: CallContext) {
    return outcomeOf(await this.sharing.share(input, callerOf(context)));
  }

  @CliMethod({
    name: 'accept_invite',
    description: 'Accepts an invitation: the event then stands in the calendar of the user.',
    effect: 'write',
    output: InvitationAnswerOutput,
    examples: examples.ANSWER,
    ui: ui.acceptCard,
  })
  acceptInvite(@CliInput() input: AnswerInviteInput, @CliContext() context: CallContext) {
    return this.sharing.answer(input, 'accepted', callerOf(context));
  }

  @CliMethod({
    name: 'reject_invite',
    description:
      'Rejects an invitation, or leaves an event that was accepted. It can be accepted again later.',
    effect: 'write',
    output: InvitationAnswerOutput,
    examples: examples.ANSWER,
    ui: ui.rejectCard,
  })
  rejectInvite(@CliInput() input: AnswerInviteInput, @CliContext() context: CallContext) {
    return this.sharing.answer(input, 'rejected', callerOf(context));
  }

  @CliMethod({
    name: 'free_busy',
    description:
      'Says when people are busy, and nothing about their events: the user, or users who invited the user to an event of theirs or accepted an invitation of the user (until 90 days after that event).',
    effect: 'read',
    output: FreeBusyOutput,
    examples: availability.FREE_BUSY,
  })
  async freeBusy(@CliInput() input: FreeBusyInput, @CliContext() context: CallContext) {
    return outcomeOf(await this.availability.freeBusy(input, callerOf(context)));
  }

  @CliMethod({
    name: 'find_slot',
    description:
      'Finds the earliest times in working hours at which the user and all participants are free; participants as for free_busy. Says who could not be looked at.',
    effect: 'read',
    output: FindSlotOutput,
    examples: availability.FIND_SLOT,
  })
  async findSlot(@CliInput() input: FindSlotInput, @CliContext() context: CallContext) {
    return outcomeOf(await this.availability.findSlot(input, callerOf(context)));
  }

  @CliMethod({
    name: 'import_ics',
    description:
      "Takes the events of a small iCalendar text (.ics) into the user's calendar; repeating it changes nothing. Nobody is invited. Says what was left out and why. It reads no URL.",
    effect: 'write',
    output: ImportReport,
    examples: ical.IMPORT,
  })
  async importIcs(@CliInput() input: ImportIcsInput, @CliContext() context: CallContext) {
    const report = await this.importing.import(Buffer.from(input.ics), callerOf(context), {
      preserve: false,
    });
    return report.skipped > 0 && isJsonObject(report) ? new PartialResult(report) : report;
  }

  @CliMethod({
    name: 'export_ics',
    description:
      'Gives an event, or those of a range, as iCalendar text (.ics): small ones only. A series comes whole.',
    effect: 'read',
    output: ExportIcsOutput,
    examples: ical.EXPORT,
  })
  exportIcs(@CliInput() input: ExportIcsInput, @CliContext() context: CallContext) {
    return this.exporting.small(input, callerOf(context));
  }

  @DescribesCall('create')
  async describeCreate(input: CreateEventsInput, context: CallContext): Promise<string> {
    const { timezone } = callerOf(context);
    return createText(input, { locale: context.locale, timezone });
  }

  @DescribesCall('delete')
  async describeDelete(input: DeleteEventInput, context: CallContext): Promise<string> {
    return eventText(await this.calendar.previewDelete(input, callerOf(context)), context);
  }

  @DescribesCall('update')
  async describeUpdate(input: UpdateEventInput, context: CallContext): Promise<string> {
    const event = await this.reading.get(input.event_id, callerOf(context));
    return eventText(event, context) + changeText(input, event, context);
  }

  @DescribesCall('share')
  async describeShare(input: ShareEventInput, context: CallContext): Promise<string> {
    return (await this.describeEvent(input, context)) + shareText(input);
  }

  @DescribesCall('accept_invite', 'reject_invite')
  async describeEvent(input: { event_id: string }, context: CallContext): Promise<string> {
    return eventText(await this.reading.get(input.event_id, callerOf(context)), context);
  }
}

/** Marks a batch as partial when some of its items failed (PROTOCOL §7). */
function outcomeOf(batch: { failed: number }): object {
  return batch.failed > 0 && isJsonObject(batch) ? new PartialResult(batch) : batch;
}
