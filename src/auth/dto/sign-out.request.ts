import { IsBoolean } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { MayBeAbsent } from './fields.js';

/** Body of `POST /auth/sign-out`. */
export class SignOutRequest {
  @MayBeAbsent()
  @IsBoolean({ message: 'must be true or false' })
  @JSONSchema({ description: 'true ends all sessions of the account, not only this one.' })
  everywhere?: boolean;
}
