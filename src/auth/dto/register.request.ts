import {
  DisplayNameField,
  EmailField,
  LocaleField,
  MayBeAbsent,
  NewPasswordField,
  TimezoneField,
} from './fields.js';

/** Body of `POST /auth/register`. */
export class RegisterRequest {
  @EmailField()
  email!: string;

  @NewPasswordField()
  password!: string;

  /** Default: the part of the address before the `@`. */
  @MayBeAbsent()
  @DisplayNameField()
  displayName?: string;

  /** Default: UTC. */
  @MayBeAbsent()
  @TimezoneField()
  timezone?: string;

  /** Default: en. */
  @MayBeAbsent()
  @LocaleField()
  locale?: string;
}
