import { Type } from 'class-transformer';
import { IsArray, IsInt, IsOptional, IsString, Min, ValidateNested } from 'class-validator';
import { NAME_MAX } from '../../calendar.limits.js';
import { MayBeAbsent, TextField } from '../../dto/fields.js';

/** Body of a new feed. */
export class CreateFeedBody {
  @MayBeAbsent()
  @TextField({ min: 1, max: NAME_MAX, description: 'How the subscribed calendar is called.' })
  name?: string;
}

/** Path of one feed. */
export class FeedIdInput {
  @TextField({ min: 1, max: 64 })
  feed_id!: string;
}

/** Path of a subscription. */
export class FeedTokenInput {
  @TextField({ min: 1, max: 100 })
  token!: string;
}

/** A feed, without what would open it. */
export class FeedView {
  @IsString()
  id!: string;

  @IsString()
  name!: string;

  @IsString()
  createdAt!: string;

  /** When a calendar last asked, to the minute. */
  @IsOptional()
  @IsString()
  lastReadAt?: string;
}

/** A new feed, as the service makes it. */
export class CreatedFeedView extends FeedView {
  /** Of the subscription, below the API's base URL. */
  @IsString()
  path!: string;
}

/** A new feed; its URL is shown this once. */
export class FeedWithUrlView extends FeedView {
  /** Whoever has it reads the calendar: it is a secret. */
  @IsString()
  url!: string;
}

/** The feeds of a user. */
export class FeedListView {
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => FeedView)
  items!: FeedView[];

  @IsInt()
  @Min(0)
  count!: number;
}
