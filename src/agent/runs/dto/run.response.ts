import { Type } from 'class-transformer';
import {
  IsArray,
  IsIn,
  IsInt,
  IsISO8601,
  IsOptional,
  IsString,
  ValidateNested,
} from 'class-validator';
import { RUN_STATUSES, type RunStatus } from '../run-state.js';
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

/** A run and what became of it. */
export class RunResponse extends RunStatusResponse {
  @IsString()
  threadId!: string;

  @IsString()
  profile!: string;

  /** Code of the RUN_ERROR that ended it. */
  @IsOptional()
  @IsString()
  errorCode?: string;

  /** Absent when nothing was told. */
  @IsOptional()
  @ValidateNested()
  @Type(() => UsedBriefingView)
  briefing?: UsedBriefingView;

  @IsISO8601()
  createdAt!: string;

  @IsOptional()
  @IsISO8601()
  startedAt?: string;

  @IsOptional()
  @IsISO8601()
  finishedAt?: string;

  static of(run: Run): RunResponse {
    return {
      runId: run.id,
      status: run.status,
      threadId: run.threadId,
      profile: run.profile,
      ...(run.errorCode && { errorCode: run.errorCode }),
      ...(run.briefing && { briefing: run.briefing }),
      createdAt: run.createdAt.toISOString(),
      ...(run.startedAt && { startedAt: run.startedAt.toISOString() }),
      ...(run.finishedAt && { finishedAt: run.finishedAt.toISOString() }),
    };
  }
}
