import { IsIn, IsOptional, Matches } from 'class-validator';

/** Query of the event stream. */
export class StreamQuery {
  /** Id of the last event that the client has; the header `Last-Event-ID` goes before it. */
  @IsOptional()
  @Matches(/^\d{1,15}$/, { message: 'must be the id of an event' })
  after?: string;

  /** Instead of a bearer token, for clients that cannot send headers; read by the bearer guard. */
  @IsOptional()
  @Matches(/^[\w-]{1,64}$/, { message: 'must be a ticket of this stream' })
  ticket?: string;

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
