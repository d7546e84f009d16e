import { applyDecorators } from '@nestjs/common';
import { IsBoolean, IsIn, IsInt, Max, Min, ValidateBy, ValidateIf } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { QueryInteger } from '../../../common/query-values.js';
import { MayBeAbsent, TextField } from '../../../common/text-fields.js';
import { DateTimeField, TimezoneField } from '../../../common/time/time-fields.js';
import { cronFault } from '../rules/cron-times.js';
import { MISSED_POLICIES, type MissedPolicy } from '../rules/firing-plan.js';
import {
  CRON_MAX,
  PAGE_DEFAULT,
  PAGE_MAX,
  PROMPT_MAX,
  RRULE_MAX,
  TITLE_MAX,
} from '../scheduler.limits.js';

const TitleField = () => TextField({ min: 1, max: TITLE_MAX, description: 'Name of the task.' });
const PromptField = () =>
  TextField({
    min: 1,
    max: PROMPT_MAX,
    description: 'What the agent is to do each time, as the person would say it.',
  });

/** Id of a task. Its form is not checked: an unknown one is NOT_FOUND. */
export function TaskIdField() {
  return TextField({
    min: 1,
    max: 64,
    description: 'Id of the task, as scheduler.list gives it: sch_…',
  });
}

/** Checked before anybody is asked to approve the task. */
const CronPattern = () =>
  ValidateBy({
    name: 'isCronPattern',
    validator: {
      validate: (value: unknown) => typeof value === 'string' && cronFault(value) === null,
      defaultMessage: (facts) => `$property ${cronFault(String(facts?.value))}`,
    },
  });

/** Null takes it away. */
function EndField() {
  return applyDecorators(
    ValidateIf((_input: object, value: unknown) => value !== undefined && value !== null),
    DateTimeField('Nothing is due after it.'),
  );
}

/** When a task is due. */
export class TimingFields {
  @MayBeAbsent()
  @TextField({
    min: 1,
    max: CRON_MAX,
    description:
      'Cron pattern of five fields: minute, hour, day of month, month, weekday, such as 0 9 * * MON-FRI. Or rrule.',
  })
  @CronPattern()
  cron?: string;

  @MayBeAbsent()
  @TextField({
    min: 1,
    max: RRULE_MAX,
    description: 'RFC 5545 RRULE, such as FREQ=WEEKLY;BYDAY=MO;BYHOUR=9. Or cron.',
  })
  rrule?: string;

  @MayBeAbsent()
  @DateTimeField(
    'Nothing is due before it. An rrule begins with it and takes from it what it does not say, such as the time of day.',
  )
  start_at?: string;

  @MayBeAbsent()
  @TimezoneField('IANA time zone on whose clocks the times are read. Default: that of the person.')
  timezone?: string;

  @MayBeAbsent()
  @IsIn(MISSED_POLICIES)
  @JSONSchema({
    description:
      'Times that went by while the service was down: run_once (default) makes up for all of them with one run, skip leaves them out.',
  })
  missed?: MissedPolicy;
}

/** Input of `scheduler.create`. */
export class CreateScheduleInput extends TimingFields {
  @TitleField()
  title!: string;

  @PromptField()
  prompt!: string;

  @MayBeAbsent()
  @DateTimeField('Nothing is due after it. Absent: for ever.')
  end_at?: string;
}

/** Body of `POST /schedules`. */
export class CreateScheduleBody extends CreateScheduleInput {
  @MayBeAbsent()
  @IsBoolean()
  @JSONSchema({ description: 'False: it waits until it is switched on. Default true.' })
  enabled?: boolean;
}

/** Body of `PATCH /schedules/{id}`; what is absent stays. */
export class ChangeScheduleBody extends TimingFields {
  @MayBeAbsent()
  @TitleField()
  title?: string;

  @MayBeAbsent()
  @PromptField()
  prompt?: string;

  @EndField()
  end_at?: string | null;

  @MayBeAbsent()
  @IsBoolean()
  @JSONSchema({ description: 'Switches the task on or off.' })
  enabled?: boolean;
}

/** Which page of a list. */
export class PageFields {
  @MayBeAbsent()
  @IsInt()
  @Min(1)
  @Max(PAGE_MAX)
  @JSONSchema({ description: `Items on a page. Default ${PAGE_DEFAULT}.` })
  limit?: number;

  @MayBeAbsent()
  @TextField({ min: 1, max: 200, description: 'nextCursor of the page before.' })
  cursor?: string;
}

/** Input of `scheduler.list`. */
export class ListSchedulesInput extends PageFields {}

/** Query of the lists over HTTP. */
export class PageQuery extends PageFields {
  @QueryInteger()
  declare limit?: number;
}

/** Input of `scheduler.cancel`. */
export class CancelScheduleInput {
  @TaskIdField()
  id!: string;
}

/** The task that a route names. */
export class TaskIdParam {
  @TaskIdField()
  id!: string;
}
