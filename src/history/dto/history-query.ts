import { IsIn, IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';
import { QueryInteger } from '../../common/query-values.js';

export const DEFAULT_HISTORY_LIMIT = 50;

/** Query of a thread's history. */
export class HistoryPageQuery {
  /** Most items of a page. */
  @IsOptional()
  @QueryInteger()
  @IsInt({ message: 'must be a whole number' })
  @Min(1)
  @Max(200)
  limit: number = DEFAULT_HISTORY_LIMIT;

  /** `nextCursor` of the page that came after. */
  @IsOptional()
  @IsString()
  @MaxLength(512)
  cursor?: string;
}

/** Query of one thread's history. */
export class ThreadHistoryQuery extends HistoryPageQuery {
  /** `agui`: the newest messages as one MESSAGES_SNAPSHOT event, without pages. */
  @IsOptional()
  @IsIn(['app', 'agui'])
  encoding?: 'app' | 'agui';
}

/** Query of history across threads. */
export class HistoryQuery extends HistoryPageQuery {
  /** Default: the caller's most recent thread. */
  @IsOptional()
  @IsString()
  @MaxLength(128)
  threadId?: string;
}
