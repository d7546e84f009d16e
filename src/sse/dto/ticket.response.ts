import { IsDateString, IsString } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';

/** Answer of `POST /agent/runs/{threadId}/events/ticket`. */
export class TicketResponse {
  @IsString()
  @JSONSchema({ description: 'For the query of the stream: works once.' })
  ticket!: string;

  /** ISO 8601, UTC. */
  @IsDateString()
  expiresAt!: string;
}
