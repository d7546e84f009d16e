import { IsString, Length } from 'class-validator';

/** Body of `POST /auth/refresh`. */
export class RefreshRequest {
  /** The refresh token of the last answer; it works once. */
  @IsString({ message: 'must be a string' })
  @Length(1, 256, { message: 'must have 1 to 256 characters' })
  refreshToken!: string;
}
