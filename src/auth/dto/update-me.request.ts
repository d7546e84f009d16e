import { DisplayNameField, LocaleField, MayBeAbsent, TimezoneField } from './fields.js';

/** Body of `PATCH /auth/me`; what is absent stays as it is. */
export class UpdateMeRequest {
  @MayBeAbsent()
  @DisplayNameField()
  displayName?: string;

  @MayBeAbsent()
  @TimezoneField()
  timezone?: string;

  @MayBeAbsent()
  @LocaleField()
  locale?: string;
}
