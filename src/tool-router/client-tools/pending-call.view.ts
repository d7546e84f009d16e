import { IsISO8601, IsObject, IsString } from 'class-validator';
import type { JsonObject } from '../../common/json.js';
import type { PendingCall } from '../../events/run-event.js';

/** A call of a tool of the client that waits for what that gives. */
export class PendingCallView implements PendingCall {
  @IsString()
  toolCallId!: string;

  /** Name of the tool. */
  @IsString()
  name!: string;

  /** Input of the tool, checked against its schema. */
  @IsObject()
  input!: JsonObject;

  /** ISO 8601, UTC; what comes later does not count. */
  @IsISO8601()
  expiresAt!: string;
}
