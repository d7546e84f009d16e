import { IsISO8601, IsInt, IsOptional, IsString } from 'class-validator';

/** A file that a person sent. */
export class AttachmentResponse {
  /** Id of the attachment, for `POST /agent/runs`. */
  @IsString()
  id!: string;

  /** Name of the file, cleaned. */
  @IsString()
  name!: string;

  /** Media type, found in the content: `image/png`. */
  @IsString()
  mediaType!: string;

  /** Size of the file in bytes. */
  @IsInt()
  bytes!: number;
}

/** An attachment with a link to its content. */
export class AttachmentLinkResponse extends AttachmentResponse {
  /** Path and query at which the content lies; works without a bearer token until `expiresAt`. */
  @IsString()
  url!: string;

  /** When the link ends, ISO 8601, UTC. */
  @IsISO8601()
  expiresAt!: string;
}

/** Query of the content: what makes a link work. */
export class AttachmentContentQuery {
  /** When the link ends, in Unix seconds. */
  @IsOptional()
  @IsString()
  expires?: string;

  /** Signature of id and end. */
  @IsOptional()
  @IsString()
  signature?: string;
}
