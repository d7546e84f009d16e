export {
  isTerminal,
  type AppEvent,
  type AppEventType,
  type Interrupt,
  type Notice,
  type PendingCall,
  type RunState,
  type Stage,
  type ToolFailure,
} from './app-event.js';
export type { ApprovalRule, PendingInterrupt } from './approval.js';
export type { ClientTool, ClientTools, ToolDescription, ToolResult } from './client-tools.js';
export { ChatFold } from './chat-fold.js';
export type { Attachment, ChatItem, ToolStatus, UiSchema } from './chat-item.js';
export { Conversation, type ConversationState } from './conversation.js';
export type { Frame } from './event-frames.js';
export type { StreamOptions } from './event-stream.js';
export type { TokenSource } from './http.js';
export { StewardProblem, type InputIssue } from './problem.js';
export { progressAfter, type OpenCall, type RunProgress } from './run-progress.js';
export { Session, type SavedSession, type User } from './session.js';
export {
  StewardClient,
  type AcceptedRun,
  type ActionOutcome,
  type Answer,
  type HistoryPage,
  type NewRun,
  type RunStatus,
  type Thread,
} from './steward-client.js';
