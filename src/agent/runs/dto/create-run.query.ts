import { IsIn, IsOptional, Matches } from 'class-validator';

/** Query of `POST /agent/runs`; it says how a streamed answer is written. */
export class CreateRunQuery {
  /** `agui` is strict AG-UI and the default; `app` has the facts of a tool call flat. */
  @IsOptional()
  @IsIn(['app', 'agui'])
  encoding?: 'app' | 'agui';

  /** Older names in the `app` encoding. */
  @IsOptional()
  @IsIn(['v1'])
  wire?: 'v1';

  /** AG-UI version that the client speaks, where its body does not say it. */
  @IsOptional()
  @Matches(/^\d{1,4}\.\d{1,4}$/, { message: 'must be a version such as 1.0' })
  protocolVersion?: string;
}
