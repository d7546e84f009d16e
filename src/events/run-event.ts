import type { ErrorCode } from '../common/error-codes.js';
import type { JsonObject } from '../common/json.js';
import type { AguiInterrupt } from '../interrupts/agui-interrupt.js';
import type { Attachment } from '../threads/thread-message.js';
import type { RecordReference } from '../tool-output/storage/record-object.js';
import type {
  ToolAgentOutput,
  ToolError,
  ToolResult,
  ToolStatus,
} from '../tool-output/tool-agent-output.js';

/** Stages of a run (PROTOCOL §1, §12). */
export type Stage = 'intent' | 'execution' | 'report';

/** A2UI v0.9 messages, compiled from ui_hints by the codec (PROTOCOL §8). */
export type UiSchema = JsonObject[];

/** What a client is told of a finished tool call; the `app` encoding sends it flat (PROTOCOL §12). */
export interface ToolResultFacts {
  callId: string;
  toolName: ToolAgentOutput['tool_name'];
  module: string;
  method: string;
  args: JsonObject;
  status: ToolStatus;
  result: ToolResult | null;
  error: ToolError | null;
  summary: string;
  ui_schema: UiSchema | null;
}

/** Token counts as a model reported them. */
export interface TokenCounts {
  /** Everything the model read, what its endpoint had cached included. */
  inputTokens: number;
  /** Everything the model wrote, reasoning included. */
  outputTokens: number;
  /** Of the input: read from the endpoint's cache. Absent where the endpoint does not say. */
  cachedInputTokens?: number;
  /** Of the output: reasoning. Absent where the endpoint does not say. */
  reasoningTokens?: number;
}

/** What one model of a run took. */
export interface ModelTokenUsage extends TokenCounts {
  provider: string;
  model: string;
}

/** Tokens of a run, all its models together. */
export interface TokenUsage extends TokenCounts {
  /** For each model that was asked, in the order of their first turns. */
  models?: ModelTokenUsage[];
}

/** How a run came to its end; one that waits is gone on with by another run. */
export type RunOutcome =
  | { outcome: 'success' }
  | { outcome: 'cancelled' }
  /** `pendingCalls`: calls that the client may carry out meanwhile; absent for none. */
  | { outcome: 'interrupt'; interrupts: AguiInterrupt[]; pendingCalls?: PendingCall[] }
  /** Its client is to carry out these calls, and nobody else is asked anything. */
  | { outcome: 'pending'; pendingCalls: PendingCall[] };

/** A call of a tool of the run's client that waits for what that makes of it. */
export interface PendingCall {
  toolCallId: string;
  /** Name of the tool. */
  name: string;
  /** Checked input. */
  input: JsonObject;
  /** ISO 8601, UTC; what comes later does not count. */
  expiresAt: string;
}

/** What a client is told while a run is held up; no part of the conversation. */
export type RunNotice =
  /** The model is asked once more: try `attempt` of `of`, after a wait; `code` is what failed. */
  | { type: 'model_retry'; attempt: number; of: number; retryInMs: number; code: ErrorCode }
  /** The model of this name takes over for the rest of the run. */
  | { type: 'model_fallback'; model: string; code: ErrorCode };

/** A notice as AG-UI's CUSTOM event has it. */
export type CustomBody = {
  [K in RunNotice['type']]: {
    name: `steward.${K}`;
    value: Omit<Extract<RunNotice, { type: K }>, 'type'>;
  };
}[RunNotice['type']];

/** A call that waits for its person, as the state of a run names it. */
export interface PendingApproval {
  /** Id of the interrupt, by which it is answered. */
  id: string;
  kind: AguiInterrupt['metadata']['kind'];
  toolCallId: string;
  module: string;
  method: string;
  /** ISO 8601, UTC. */
  expiresAt: string;
}

/** The state that AG-UI clients hold: of the thread's last run. */
export interface RunStateSnapshot {
  run: {
    id: string;
    status: 'running' | 'waiting' | 'succeeded' | 'failed' | 'cancelled';
    /** Null before the first stage and at the end. */
    stage: Stage | null;
    /** Something of these two exactly while `status` is `waiting`. */
    pendingApprovals: PendingApproval[];
    pendingCalls: Omit<PendingCall, 'input'>[];
  };
}

/** One operation of a JSON Patch (RFC 6902). */
export interface StateOperation {
  op: 'replace';
  path: string;
  value: string | null | PendingApproval[] | Omit<PendingCall, 'input'>[];
}

interface EventBodies {
  RUN_STARTED: {
    threadId: string;
    /**
     * The user's message that started the run, so that a second client sees it too; absent where
     * nothing was said: interrupts were answered, or given up.
     */
    message?: { id: string; content: string; createdAt: string; attachments?: Attachment[] };
    /** The run that waited in the thread until this one; its open calls get their results here. */
    resumedFrom?: string;
  };
  STEP_STARTED: { stepName: Stage };
  STEP_FINISHED: { stepName: Stage };
  TEXT_MESSAGE_START: { messageId: string };
  TEXT_MESSAGE_CONTENT: { messageId: string; delta: string };
  /** `interrupted`: the text was broken off, by an end of its run or because its turn was made anew. */
  TEXT_MESSAGE_END: { messageId: string; interrupted?: true };
  /** What the model thinks, where it says; it is closed before text or calls. */
  REASONING_START: { messageId: string };
  REASONING_MESSAGE_START: { messageId: string };
  REASONING_MESSAGE_CONTENT: { messageId: string; delta: string };
  REASONING_MESSAGE_END: { messageId: string };
  REASONING_END: { messageId: string };
  /** `client`: the run's client carries it out; the name is that of its tool. */
  TOOL_CALL_START: {
    toolCallId: string;
    toolCallName: string;
    parentMessageId: string;
    client?: true;
  };
  TOOL_CALL_ARGS: { toolCallId: string; delta: string };
  TOOL_CALL_END: { toolCallId: string };
  /** `content` is the JSON projection, in every tier; of a degraded result, the summary. */
  TOOL_CALL_RESULT: {
    messageId: string;
    toolCallId: string;
    content: string;
    tool: ToolResultFacts;
    /** The record could not be read: summary and status stand, result and card are absent. */
    degraded?: true;
    /** Where the record lies when the row of the event does not hold it; never on the wire. */
    stored?: RecordReference;
  };
  CUSTOM: CustomBody;
  STATE_SNAPSHOT: { snapshot: RunStateSnapshot };
  STATE_DELTA: { delta: StateOperation[] };
  RUN_FINISHED: { threadId: string; usage: TokenUsage | null } & RunOutcome;
  /** `usage`: what the run took before it failed. */
  RUN_ERROR: { message: string; code: string; usage?: TokenUsage };
}

export type RunEventType = keyof EventBodies;

/** One event of a run as it is stored; the encoders turn it into either wire form. */
export type RunEvent = {
  [K in RunEventType]: { type: K; timestamp: number } & EventBodies[K];
}[RunEventType];

/** An event before the log stamps its time; one that has a `timestamp` keeps it. */
export type NewRunEvent = {
  [K in RunEventType]: { type: K; timestamp?: number } & EventBodies[K];
}[RunEventType];

/** An event with its place in the log. `id` grows by one in a thread (PROTOCOL §12). */
export interface LoggedEvent {
  threadId: string;
  runId: string;
  id: number;
  event: RunEvent;
}

/** True for the event that ends a run. */
export function isTerminal(event: { type: RunEventType }): boolean {
  return event.type === 'RUN_FINISHED' || event.type === 'RUN_ERROR';
}
