import type { Locale } from '../../common/locale.js';
import type { TokenUsage } from '../../events/run-event.js';
import type { UsedBriefing } from '../briefing-source.js';
import type { UsedContext } from '../context/context-window.js';
import type { CountedCalls } from '../loop/call-guard.js';
import type { Refusal } from '../loop/unexecuted-call.js';
import type { OpenCall } from './open-call.js';
import type { ClientTool } from '../../tool-router/client-tools/client-tool.js';
import type { RunSpending } from './run-spending.js';
import type { RunStatus } from './run-state.js';

/** What names a run: ids of AG-UI clients are unique among the runs of their user only. */
export interface RunKey {
  userId: string;
  id: string;
}

/** One execution in a thread (PROTOCOL §1). */
export interface Run extends RunKey {
  threadId: string;
  /** The user's message that it answers; a resumed run goes on answering the one before it. */
  messageId: string;
  /** The waiting run of the thread that ended as this one began; null for none. */
  resumedFrom: string | null;
  /** Set once it waits: its calls without a result, in their order; the first has asked. */
  openCalls: OpenCall[] | null;
  /** Set once it waits: when what it asked expires. */
  waitingUntil: Date | null;
  status: RunStatus;
  /** Whitelist profile under which its calls are decided. */
  profile: string;
  /** Scope of its credential: what its calls may name within the profile. */
  scope: string[];
  /** Skills that its model may see; null is what the deployment enables. */
  enabledSkills: string[] | null;
  /** Tools of the client that made it; null for none. */
  clientTools: ClientTool[] | null;
  /** Ids of the messages in which a client answered calls that it goes on with, by the calls' ids. */
  answerIds: Record<string, string> | null;
  locale: Locale;
  timezone: string;
  idempotencyKey: string | null;
  /** SHA-256 of the request, to tell a repeated one from another under the same key. */
  requestHash: string;
  cancelRequested: boolean;
  /** Processes that have died while they held it, or could not begin it for a reason of its own. */
  attempts: number;
  errorCode: string | null;
  /** Id of its RUN_STARTED in the thread's log; null until it was first executed. */
  startEventId: number | null;
  /** Tokens of the turns that have ended; null when the model never said. */
  usage: TokenUsage | null;
  /** Tokens, about, of its turns whose model did not say; 0 where nothing limits a run's tokens. */
  unreportedTokens: number;
  /** Turns of its model that have ended. */
  turns: number;
  /** What the runs took that it goes on from without a person in between; null for none. */
  spentBefore: RunSpending | null;
  /** Set once it waits: the calls that it and those have counted. */
  countedCalls: CountedCalls | null;
  /** Calls of the last turn that are not executed, and why, by their ids; null for none. */
  refusedCalls: Record<string, Refusal> | null;
  /** What its model was told of the person besides the conversation; null is nothing. */
  briefing: UsedBriefing | null;
  /** What of the thread its model was last shown; null is all of it. */
  context: UsedContext | null;
  /** `traceparent` of what asked for it (W3C Trace Context); null where nothing is traced. */
  traceparent: string | null;
  createdAt: Date;
  startedAt: Date | null;
  finishedAt: Date | null;
}
