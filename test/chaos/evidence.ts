import type { AppEvent } from '../../src/events/app-event.js';
import type { ChatItem } from '../../src/history/chat-item.js';
import type { GivenMark } from './marks.js';

/** Something that must never be so, and where. */
export interface Fault {
  rule: string;
  where: string;
  what: string;
}

/** An event as a client got it. */
export interface SeenEvent {
  id: number;
  event: AppEvent;
}

/** What one client saw of a thread, over all its reconnects. */
export interface View {
  threadId: string;
  /** Person and part: `p3 talks`. */
  by: string;
  seen: SeenEvent[];
}

/** What a client sent as the result of one call of its tools. */
export interface SentAnswer {
  threadId: string;
  toolCallId: string;
  /** A word that is in this answer alone; the same answer may be sent more than once. */
  given: GivenMark;
  /** The run that goes on with it; null: it was refused; undefined: nobody was told. */
  runId: string | null | undefined;
}

/** A run as its row has it at the end. */
export interface RunFacts {
  id: string;
  threadId: string;
  status: string;
  errorCode: string | null;
  resumedFrom: string | null;
  attempts: number;
}

/** A record of a tool call. */
export interface CallFacts {
  threadId: string;
  toolCallId: string;
  status: string;
  /** Of which run, when, and what came of it: for who looks into a fault. */
  about?: string;
}

/** A thread as a client gets it that begins at the first event, and its history. */
export interface ThreadFacts {
  threadId: string;
  log: SeenEvent[];
  history: ChatItem[];
  /** Ids of the calls that wait for their client, as history has them. */
  pendingCalls: string[];
}

/** All that the auditor looks at. */
export interface Evidence {
  /** Runs that clients were told are accepted. */
  accepted: { threadId: string; runId: string }[];
  runs: RunFacts[];
  threads: ThreadFacts[];
  views: View[];
  calls: CallFacts[];
  answers: SentAnswer[];
  /** Marks of all things that were written, one entry for each thing. */
  effects: string[];
  /** Runs with a credential that has not been revoked. */
  liveCredentials: string[];
  /** Questions of calls that have no answer, though their runs do not wait for one. */
  strayQuestions: { runId: string; status: string }[];
  /** What `audit verify` found. */
  auditFindings: string[];
  /** What clients could not do within their time: a stream that did not end, a request never answered. */
  complaints: string[];
}
