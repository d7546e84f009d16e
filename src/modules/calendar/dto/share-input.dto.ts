import { IsIn } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { SHARE_MAX } from '../calendar.limits.js';
import { SHARE_PERMISSIONS, type SharePermission } from '../rules/sharing.js';
import { EmailField, EventIdField, PeopleField, MayBeAbsent } from './fields.js';

/** One person to share with. */
export class ShareTarget {
  @EmailField()
  email!: string;

  @MayBeAbsent()
  @IsIn(SHARE_PERMISSIONS)
  @JSONSchema({
    description:
      'view, edit, or none to withdraw the invitation. Default: what they have, view for someone new.',
  })
  permission?: SharePermission;

  static fromText(text: string): ShareTarget {
    return Object.assign(new ShareTarget(), { email: text });
  }
}

/** Body of the REST share. */
export class ShareEventBody {
  @PeopleField(ShareTarget, (text) => ShareTarget.fromText(text), {
    min: 1,
    max: SHARE_MAX,
    description: 'Users to invite: {email, permission}, or an email alone.',
  })
  with!: ShareTarget[];
}

/** Input of `calendar.share`. */
export class ShareEventInput extends ShareEventBody {
  @EventIdField()
  event_id!: string;
}
