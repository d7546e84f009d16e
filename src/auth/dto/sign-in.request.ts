import { IsString, MaxLength } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { EmailField, LONGEST_PASSWORD } from './fields.js';

/** Body of `POST /auth/token`. */
export class SignInRequest {
  @EmailField()
  email!: string;

  @IsString({ message: 'must be a string' })
  @MaxLength(LONGEST_PASSWORD, { message: `must have at most ${LONGEST_PASSWORD} characters` })
  @JSONSchema({ format: 'password' })
  password!: string;
}
