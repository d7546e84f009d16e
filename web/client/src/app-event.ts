import type { Attachment, ToolStatus, UiSchema } from './chat-item.js';

/** Stages of a run; one may come again. */
export type Stage = 'intent' | 'execution' | 'report';

/** Why a tool call failed; `code` is one of the documented error codes. */
export interface ToolFailure {
  code: string;
  message: string;
  module: string;
  method: string;
  retryable: boolean;
}

/** What a run waits for: leave for a call, or an answer to a question. */
export interface Interrupt {
  id: string;
  reason: 'tool_call' | 'input_required';
  /** What the person is asked, in their language. */
  message: string;
  /** The call that waits. */
  toolCallId: string;
  /** JSON Schema of the answer's `payload`. */
  responseSchema: Record<string, unknown>;
  /** ISO 8601; later answers are refused. */
  expiresAt: string;
  /** The call itself, and for an approval the rule that asks. */
  metadata: {
    kind: 'approval' | 'question';
    module: string;
    method: string;
    input: Record<string, unknown>;
    inputHash: string;
    rule: string | null;
  };
}

/** A call of a tool of this client, which waits for what that gives. */
export interface PendingCall {
  toolCallId: string;
  /** Name of the tool. */
  name: string;
  /** Checked against the tool's schema. */
  input: Record<string, unknown>;
  /** ISO 8601; what comes later does not count. */
  expiresAt: string;
}

/** What holds a run up: the model is asked again after a wait, or another one takes over. */
export type Notice =
  | {
      name: 'steward.model_retry';
      /** `code` is what failed before try `attempt` of `of`. */
      value: { attempt: number; of: number; retryInMs: number; code: string };
    }
  | { name: 'steward.model_fallback'; value: { model: string; code: string } };

/** AG-UI's state: the thread's last run. `progressAfter` tells the same from the other events. */
export interface RunState {
  run: {
    id: string;
    status: 'running' | 'waiting' | 'succeeded' | 'failed' | 'cancelled';
    stage: Stage | null;
    pendingApprovals: {
      id: string;
      kind: 'approval' | 'question';
      toolCallId: string;
      module: string;
      method: string;
      expiresAt: string;
    }[];
    pendingCalls: Omit<PendingCall, 'input'>[];
  };
}

interface Bodies {
  RUN_STARTED: {
    threadId: string;
    /** What the person said; a second client learns it from here. Absent for an answer. */
    message?: { id: string; content: string; createdAt: string; attachments?: Attachment[] };
    /** The run that waited until this one: what it asked waits no more. */
    resumedFrom?: string;
  };
  STEP_STARTED: { stepName: Stage };
  STEP_FINISHED: { stepName: Stage };
  TEXT_MESSAGE_START: { messageId: string; role: 'assistant' };
  TEXT_MESSAGE_CONTENT: { messageId: string; delta: string };
  /** `metadata`: the text was broken off. */
  TEXT_MESSAGE_END: { messageId: string; metadata?: { interrupted: true } };
  REASONING_START: { messageId: string };
  REASONING_MESSAGE_START: { messageId: string; role: 'reasoning' };
  REASONING_MESSAGE_CONTENT: { messageId: string; delta: string };
  REASONING_MESSAGE_END: { messageId: string };
  REASONING_END: { messageId: string };
  /** `client`: it is for a tool of the client, under that tool's name. */
  TOOL_CALL_START: {
    toolCallId: string;
    toolCallName: string;
    parentMessageId: string;
    client?: true;
  };
  TOOL_CALL_ARGS: { toolCallId: string; delta: string };
  TOOL_CALL_END: { toolCallId: string };
  TOOL_CALL_RESULT: {
    messageId: string;
    toolCallId: string;
    role: 'tool';
    content: string;
    callId: string;
    toolName: string;
    module: string;
    method: string;
    args: Record<string, unknown>;
    status: ToolStatus;
    result: { module: string; method: string; data: unknown } | null;
    error: ToolFailure | null;
    summary: string;
    ui_schema?: UiSchema;
    degraded?: true;
  };
  CUSTOM: Notice;
  STATE_SNAPSHOT: { snapshot: RunState };
  /** JSON Patch (RFC 6902). */
  STATE_DELTA: { delta: { op: 'replace'; path: string; value: unknown }[] };
  RUN_FINISHED: {
    threadId: string;
    usage?: Usage;
  } & (
    | { outcome: 'success' | 'cancelled' }
    | { outcome: 'interrupt'; interrupts: Interrupt[]; pendingCalls?: PendingCall[] }
    | { outcome: 'pending'; pendingCalls: PendingCall[] }
  );
  RUN_ERROR: { message: string; code: string; usage?: Usage };
}

/** Tokens that the run's model took, as far as it told. */
interface Usage {
  inputTokens: number;
  outputTokens: number;
}

/** The types of event that this version knows; others are passed over. */
export type AppEventType = keyof Bodies;

/** An event of the `app` encoding; `timestamp` is in milliseconds since 1970. */
export type AppEvent = {
  [K in AppEventType]: { type: K; timestamp: number; runId: string } & Bodies[K];
}[AppEventType];

/** True for the event that ends a run. */
export function isTerminal(event: { type: string }): boolean {
  return event.type === 'RUN_FINISHED' || event.type === 'RUN_ERROR';
}
