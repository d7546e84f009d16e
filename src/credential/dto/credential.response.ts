import { IsArray, IsDateString, IsString } from 'class-validator';
import type { IssuedCredential } from '../controlled-credential.js';

/** Answer of `POST /credentials` (PROTOCOL §11). */
export class CredentialResponse {
  /** The controlled credential, for PROJECT_CLI_CREDENTIAL or the tool door; shown only here. */
  @IsString()
  credential!: string;

  /** Name under which it is revoked. */
  @IsString()
  jti!: string;

  /** ISO 8601, UTC. */
  @IsDateString()
  expiresAt!: string;

  @IsArray()
  @IsString({ each: true })
  scope!: string[];

  static of(issued: IssuedCredential): CredentialResponse {
    return { ...issued, expiresAt: issued.expiresAt.toISOString() };
  }
}
