import { Type } from 'class-transformer';
import {
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsISO8601,
  IsOptional,
  IsString,
  ValidateNested,
} from 'class-validator';
import { RUN_STATUSES, type RunStatus } from '../run-state.js';
import { PendingCallView } from '../../../tool-router/client-tools/pending-call.view.js';
import { toPendingCall } from '../../../tool-router/client-tools/handed-out-call.js';
import { handedOutCalls } from '../open-call.js';
import type { Run } from '../run.js';

/** Answer of `POST /agent/runs` that does not stream. */
export class RunAcceptedResponse {
  @IsString()
  threadId!: string;

  @IsString()
  runId!: string;

  /** Where the run's events are streamed. */
  @IsString()
  eventsUrl!: string;

  /** Where the thread's messages are. */
  @IsString()
  historyUrl!: string;

  static of({ id, threadId }: Pick<Run, 'id' | 'threadId'>): RunAcceptedResponse {
    const base = `/api/v1/agent/runs/${encodeURIComponent(threadId)}`;
    return { threadId, runId: id, eventsUrl: `${base}/events`, historyUrl: `${base}/history` };
  }
}

/** Answer of a cancel. */
export class RunStatusResponse {
  @IsString()
  runId!: string;

  @IsIn(RUN_STATUSES)
  status!: RunStatus;
}

/** A fact that the model was given; `GET /memories/{id}` says what it says. */
export class UsedFact {
  @IsString()
  id!: string;

  /** The fact's version at that time. */
  @IsInt()
  version!: number;
}

/** What the model was told about the person when the run began. */
export class UsedBriefingView {
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => UsedFact)
  items!: UsedFact[];

  @IsInt()
  characters!: number;
}

/** What of its thread a model was shown, when that was not all of it. */
export class UsedContextView {
  /** Tokens of the messages that were shown. */
  @IsInt()
  tokens!: number;

  /** Tokens that they might have taken. */
  @IsInt()
  budget!: number;

  /** Ids of the tool calls of whose results only a summary was shown. */
  @IsArray()
  @IsString({ each: true })
  shortened!: string[];

  /** Messages of the thread that were not shown; the oldest go first. */
  @IsInt()
  leftOut!: number;

  /** Whether the model refused the context as too long and got half of it. */
  @IsBoolean()
  halved!: boolean;
}

/** A run and what became of it. */
export class RunResponse extends RunStatusResponse {
  @IsString()
  threadId!: string;

  @IsString()
  profile!: string;

  /** The run that waited in the thread until this one went on. */
  @IsOptional()
  @IsString()
  resumedFrom?: string;

  /** Code of the RUN_ERROR that ended it. */
  @IsOptional()
  @IsString()
  errorCode?: string;

  /** Absent when nothing was told. */
  @IsOptional()
  @ValidateNested()
  @Type(() => UsedBriefingView)
  briefing?: UsedBriefingView;

  /** Absent when the model was shown the whole thread. */
  @IsOptional()
  @ValidateNested()
  @Type(() => UsedContextView)
  context?: UsedContextView;

  /** Calls that wait for the client; absent for none. */
  @IsOptional()
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => PendingCallView)
  pendingCalls?: PendingCallView[];

  @IsISO8601()
  createdAt!: string;

  @IsOptional()
  @IsISO8601()
  startedAt?: string;

  @IsOptional()
  @IsISO8601()
  finishedAt?: string;

  static of(run: Run): RunResponse {
    const pendingCalls =
      run.status === 'waiting'
        ? handedOutCalls(run.openCalls ?? []).map(({ id, handedOut }) =>
            toPendingCall(id, handedOut),
          )
        : [];
    return {
      ...(pendingCalls.length > 0 && { pendingCalls }),
      runId: run.id,
      status: run.status,
      threadId: run.threadId,
      profile: run.profile,
      ...(run.resumedFrom && { resumedFrom: run.resumedFrom }),
      ...(run.errorCode && { errorCode: run.errorCode }),
      ...(run.briefing && { briefing: run.briefing }),
      ...(run.context && { context: run.context }),
      createdAt: run.createdAt.toISOString(),
      ...(run.startedAt && { startedAt: run.startedAt.toISOString() }),
      ...(run.finishedAt && { finishedAt: run.finishedAt.toISOString() }),
    };
  }
}
