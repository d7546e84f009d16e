import { Type } from 'class-transformer';
import {
  IsArray,
  IsDateString,
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import type { UiSchema } from '../../events/run-event.js';
import type { JsonObject } from '../../common/json.js';
import type { AguiInterrupt } from '../../interrupts/agui-interrupt.js';
import type { Attachment } from '../../threads/thread-message.js';
import { PendingCallView } from '../../tool-router/client-tools/pending-call.view.js';
import type { ToolStatus } from '../../tool-output/tool-agent-output.js';
import type { ChatItem } from '../chat-item.js';

/** A file that was sent with a message. */
export class HistoryAttachment implements Attachment {
  @IsString()
  id!: string;

  /** Name of the file. */
  @IsString()
  name!: string;

  @IsString()
  mediaType!: string;

  @IsInt()
  bytes!: number;
}

/** One item of a conversation (PROTOCOL §11); members that do not apply are absent. */
export class HistoryItem implements ChatItem {
  @IsString()
  id!: string;

  /** `reasoning` is what the model thought, where it says so and the deployment shows it. */
  @IsIn(['user', 'assistant', 'reasoning', 'tool'])
  role!: ChatItem['role'];

  @IsString()
  content!: string;

  /** ISO 8601, UTC. */
  @IsDateString()
  createdAt!: string;

  @IsString()
  runId!: string;

  /** Files of a user message. */
  @IsOptional()
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => HistoryAttachment)
  attachments?: HistoryAttachment[];

  /** The text of the assistant was broken off: by a cancel, an error, or because the model was asked once more. */
  @IsOptional()
  @IsIn([true])
  interrupted?: true;

  @IsOptional()
  @IsString()
  toolCallId?: string;

  @IsOptional()
  @IsString()
  toolName?: string;

  @IsOptional()
  @IsString()
  module?: string;

  @IsOptional()
  @IsString()
  method?: string;

  @IsOptional()
  @IsIn(['success', 'failure', 'partial'])
  status?: ToolStatus;

  /** One line for a person. */
  @IsOptional()
  @IsString()
  summary?: string;

  /** A2UI v0.9 messages of the card. */
  @IsOptional()
  @IsArray()
  @IsObject({ each: true })
  ui_schema?: UiSchema;

  /** The result could not be read just now: `content` is the summary, there is no card. */
  @IsOptional()
  @IsIn([true])
  degraded?: true;
}

/** What a thread waits for, in AG-UI's members. */
export class HistoryInterrupt implements AguiInterrupt {
  @IsString()
  id!: string;

  /** `tool_call` for an approval, `input_required` for a question. */
  @IsIn(['tool_call', 'input_required'])
  reason!: AguiInterrupt['reason'];

  /** What the person is asked. */
  @IsString()
  message!: string;

  /** The call that waits. */
  @IsString()
  toolCallId!: string;

  /** JSON Schema of the answer. */
  @IsObject()
  responseSchema!: JsonObject;

  /** Later answers are not taken. */
  @IsDateString()
  expiresAt!: string;

  /** The call, its hash, and the rule that asks. */
  @IsObject()
  metadata!: AguiInterrupt['metadata'];
}

/** A page of history; items are oldest first. */
export class HistoryResponse {
  /** Null when the caller has no thread yet. */
  @ValidateIf((_page: object, value: unknown) => value !== null)
  @IsString()
  @JSONSchema({ type: ['string', 'null'] })
  threadId!: string | null;

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => HistoryItem)
  messages!: HistoryItem[];

  /** For the items before these; null at the beginning of the conversation. */
  @ValidateIf((_page: object, value: unknown) => value !== null)
  @IsString()
  @JSONSchema({ type: ['string', 'null'] })
  nextCursor!: string | null;

  /** What the thread waits for at this moment; usually nothing. */
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => HistoryInterrupt)
  interrupts!: HistoryInterrupt[];

  /** What it waits for of the client, whose tools the agent has called; usually nothing. */
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => PendingCallView)
  pendingCalls!: PendingCallView[];
}
