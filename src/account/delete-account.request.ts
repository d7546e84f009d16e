import { IsString, MaxLength } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';

/** Body of `DELETE /auth/me`. */
export class DeleteAccountRequest {
  /** Of the account that is deleted: a bearer token alone does not suffice. */
  @IsString({ message: 'must be a string' })
  @MaxLength(256, { message: 'must have at most 256 characters' })
  @JSONSchema({
    format: 'password',
    description: 'Password of the account: a bearer token alone does not suffice.',
  })
  password!: string;
}
