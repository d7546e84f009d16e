import { IsIn, IsOptional, Matches } from 'class-validator';

/** Query of the event stream. */
export class StreamQuery {
  /** Id of the last event that the client has; the header `Last-Event-ID` goes before it. */
  @IsOptional()
  @Matches(/^\d{1,15}$/, { message: 'must be the id of an event' })
  after?: string;

  /** `app` has the facts of a tool call flat; `agui` is strict AG-UI. */
  @IsOptional()
  @IsIn(['app', 'agui'])
  encoding?: 'app' | 'agui';

  /** Older names in the `app` encoding. */
  @IsOptional()
  @IsIn(['v1'])
  wire?: 'v1';

  /** AG-UI version that the client speaks; `1.0` and later get members that older ones refuse. */
  @IsOptional()
  @Matches(/^\d{1,4}\.\d{1,4}$/, { message: 'must be a version such as 1.0' })
  protocolVersion?: string;
}
