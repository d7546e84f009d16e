import { Type } from 'class-transformer';
import {
  IsArray,
  IsBoolean,
  IsDateString,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Length,
  Matches,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { QueryInteger } from '../../common/query-values.js';
import { ROLES, type Role } from '../principal.js';
import type { UserAccount } from '../user-account.js';
import { DisplayNameField, MayBeAbsent } from './fields.js';
import { UserResponse } from './user.response.js';

/** Query of `GET /admin/users`. */
export class AdminUsersQuery {
  @IsOptional()
  @IsString()
  @Length(1, 100)
  @JSONSchema({ description: 'How the email address or the display name begins, in any case.' })
  q?: string;

  @IsOptional()
  @Matches(/^usr_[0-9A-HJKMNP-TV-Z]{26}$/, { message: 'must be the nextCursor of a page' })
  cursor?: string;

  @IsOptional()
  @QueryInteger()
  @IsInt()
  @Min(1)
  @Max(200)
  limit?: number;
}

/** An account as admins see it. */
export class AdminUserResponse extends UserResponse {
  @IsBoolean()
  @JSONSchema({ description: 'Whether the account is shut out.' })
  disabled!: boolean;

  @IsOptional()
  @IsDateString()
  @JSONSchema({
    type: ['string', 'null'],
    description: 'Since when it is shut out; ISO 8601, UTC.',
  })
  disabledAt!: string | null;

  static ofAccount(account: UserAccount): AdminUserResponse {
    return {
      ...UserResponse.of(account),
      disabled: account.disabledAt !== null,
      disabledAt: account.disabledAt?.toISOString() ?? null,
    };
  }
}

/** Answer of `GET /admin/users`. */
export class AdminUsersResponse {
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => AdminUserResponse)
  @JSONSchema({ description: 'Newest first.' })
  users!: AdminUserResponse[];

  @IsOptional()
  @IsString()
  @JSONSchema({ type: ['string', 'null'], description: 'For the next page; null on the last.' })
  nextCursor!: string | null;
}

/** Body of `PATCH /admin/users/{userId}`; what is absent stays as it is. */
export class AdministerUserRequest {
  @MayBeAbsent()
  @IsBoolean({ message: 'must be true or false' })
  @JSONSchema({
    description: 'true shuts the account out and ends its sessions; false lets it in.',
  })
  disabled?: boolean;

  @MayBeAbsent()
  @IsIn(ROLES, { message: `must be one of ${ROLES.join(', ')}` })
  role?: Role;

  @MayBeAbsent()
  @DisplayNameField()
  displayName?: string;
}
