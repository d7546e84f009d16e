import { Type } from 'class-transformer';
import { IsInt, IsString, Min, ValidateNested } from 'class-validator';
import type { Session } from '../session.service.js';
import { UserResponse } from './user.response.js';

/** Answer of register, token and refresh (PROTOCOL §11). */
export class SessionResponse {
  @ValidateNested()
  @Type(() => UserResponse)
  user!: UserResponse;

  /** Bearer token of the API. */
  @IsString()
  accessToken!: string;

  /** Works once; its answer holds the next one. */
  @IsString()
  refreshToken!: string;

  /** Life of the access token in seconds. */
  @IsInt()
  @Min(1)
  expiresIn!: number;

  static of({ user, accessToken, refreshToken, expiresIn }: Session): SessionResponse {
    return { user: UserResponse.of(user), accessToken, refreshToken, expiresIn };
  }
}
