import type {
  CustomBody,
  RunEvent,
  RunEventType,
  RunOutcome,
  RunStateSnapshot,
  Stage,
  StateOperation,
  TokenUsage,
  ToolResultFacts,
} from './run-event.js';

type UiSchema = NonNullable<ToolResultFacts['ui_schema']>;

/** The facts of a tool call, flat; `ui_schema` is absent where there is no card. */
type Facts = Omit<ToolResultFacts, 'ui_schema'> & {
  ui_schema?: UiSchema;
  /** The older name of `ui_schema`, with `?wire=v1`. */
  ui?: UiSchema;
};

interface AppBodies {
  RUN_STARTED: Pick<
    Extract<RunEvent, { type: 'RUN_STARTED' }>,
    'threadId' | 'message' | 'resumedFrom'
  >;
  STEP_STARTED: { stepName: Stage };
  STEP_FINISHED: { stepName: Stage };
  TEXT_MESSAGE_START: { messageId: string; role: 'assistant' };
  TEXT_MESSAGE_CONTENT: { messageId: string; delta: string };
  /** `metadata`: the text was broken off, by an end of its run or because its turn was made anew. */
  TEXT_MESSAGE_END: { messageId: string; metadata?: { interrupted: true } };
  REASONING_START: { messageId: string };
  REASONING_MESSAGE_START: { messageId: string; role: 'reasoning' };
  REASONING_MESSAGE_CONTENT: { messageId: string; delta: string };
  REASONING_MESSAGE_END: { messageId: string };
  REASONING_END: { messageId: string };
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
    /** The result could not be read; `content` is the summary (PROTOCOL §9). */
    degraded?: true;
  } & Facts;
  CUSTOM: CustomBody;
  STATE_SNAPSHOT: { snapshot: RunStateSnapshot };
  STATE_DELTA: { delta: StateOperation[] };
  RUN_FINISHED: { threadId: string; usage?: TokenUsage } & RunOutcome;
  RUN_ERROR: { message: string; code: string; usage?: TokenUsage };
}

/** An event of the `app` encoding, as our own clients parse it (PROTOCOL §12). */
export type AppEvent = {
  [K in RunEventType]: { type: K; timestamp: number; runId: string } & AppBodies[K];
}[RunEventType];
