import {
  CliContext,
  CliInput,
  CliMethod,
  CliModule,
  DescribesCall,
  type CallContext,
} from '../../tool-router/public.js';
import {
  CancelScheduleInput,
  CreateScheduleInput,
  ListSchedulesInput,
} from './dto/schedule-input.dto.js';
import {
  CancelScheduleOutput,
  ListSchedulesOutput,
  ScheduleView,
} from './dto/schedule-view.dto.js';
import { grantProofOf } from './rules/grant-proof.js';
import { SchedulerReadingService } from './scheduler-reading.service.js';
import * as examples from './scheduler.examples.js';
import { SchedulerService } from './scheduler.service.js';
import * as summaries from './scheduler.summary.js';

/** Scheduled tasks as project_cli shows them; every rule is in the services. */
@CliModule({
  name: 'scheduler',
  description: 'Tasks that the agent does for the user at set times: create, list, cancel.',
})
export class SchedulerCommands {
  constructor(
    private readonly reading: SchedulerReadingService,
    private readonly scheduler: SchedulerService,
  ) {}

  @CliMethod({
    name: 'create',
    description:
      'Lets the agent act by itself at set times: each time it is told the prompt, in a conversation of the task. When: cron or rrule. The user approves every task.',
    effect: 'write',
    risk: 'high',
    requiresApproval: true,
    standingApproval: false,
    output: ScheduleView,
    examples: examples.CREATE,
    summary: summaries.created,
  })
  create(@CliInput() input: CreateScheduleInput, @CliContext() context: CallContext) {
    return this.scheduler.create(input, grantProofOf(context), context.timezone);
  }

  @CliMethod({
    name: 'list',
    description:
      'Lists the scheduled tasks of the user with their ids, the newest first. Long lists page: pass nextCursor as cursor.',
    effect: 'read',
    output: ListSchedulesOutput,
    examples: examples.LIST,
    summary: summaries.listed,
  })
  list(@CliInput() input: ListSchedulesInput, @CliContext() context: CallContext) {
    return this.reading.list(input, context.userId);
  }

  @CliMethod({
    name: 'cancel',
    description: 'Takes a scheduled task away for good, and ends the run that it has under way.',
    effect: 'write',
    output: CancelScheduleOutput,
    examples: examples.CANCEL,
    summary: summaries.cancelled,
  })
  cancel(@CliInput() input: CancelScheduleInput, @CliContext() context: CallContext) {
    return this.scheduler.cancel(context.userId, input.id);
  }

  @DescribesCall('create')
  async describeCreate(input: CreateScheduleInput, context: CallContext): Promise<string> {
    const { userId, timezone, locale } = context;
    const { timing, nextAt } = await this.scheduler.preview(input, userId, timezone);
    return summaries.wanted(input, timing, nextAt, locale);
  }

  @DescribesCall('cancel')
  async describeCancel(input: CancelScheduleInput, context: CallContext): Promise<string> {
    return (await this.reading.item(input.id, context.userId)).title;
  }
}
