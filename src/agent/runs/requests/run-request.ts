import { createHash } from 'node:crypto';
import { canonicalJson } from '../../../common/canonical-json.js';
import type { JsonValue } from '../../../common/json.js';
import type { ClientTool } from '../../../tool-router/client-tools/client-tool.js';
import type { SentFiles } from '../../attachments/message-attachments.js';

/** An answer to an interrupt, of which nothing but its form is known. */
export interface ReadAnswer {
  interruptId: string;
  status: 'resolved' | 'cancelled';
  payload?: JsonValue;
}

/** What a client says that one of its tools gave, of which nothing but its form is known. */
export interface ReadToolAnswer {
  toolCallId: string;
  /** As the client wrote it: JSON or a text. */
  content: string;
  /** What kept the tool from it; absent for nothing, also where the client wrote an empty text. */
  error?: string;
  /** Id of the message that says so, where the client made one. */
  messageId?: string;
  /** Given for a call that waits; absent for a message that may be resent from before. */
  isAnswer?: true;
  /** Where it stands in the body. */
  path: string;
}

/** What a client asks for, in whichever of the two forms it said it. */
export interface RunRequest {
  /** Null only with `resume`, where there is nothing to say besides. */
  message: string | null;
  /** Id of the message, where the client made one. */
  messageId: string | null;
  threadId: string | undefined;
  /** Id of the run, where the client made one. */
  runId: string | undefined;
  profile: string;
  enabledSkills: string[] | null;
  /** Answers to everything that the thread waits for of its person. */
  resume?: readonly ReadAnswer[];
  /** Tools of the client that the run may call; null where it does not say. */
  tools: ClientTool[] | null;
  /** What may be results of calls of such tools: who knows what waits finds out. */
  toolMessages?: readonly ReadToolAnswer[];
  /** Those of them that are. */
  toolAnswers?: readonly ReadToolAnswer[];
  /** Whether the person says something that is new; a client may only repeat what they have said. */
  says: boolean;
  /** Whether what waits in the thread is given up for the message, instead of refusing that. */
  givesUpWaiting?: boolean;
  /** Files that come with the message. */
  sent: SentFiles;
  /** Where `profile` and `enabledSkills` stand in the body: what their paths begin with. */
  optionsAt: string;
  /** AG-UI version that the client speaks, where it says so. */
  protocolVersion: string | undefined;
}

/**
 * Tells a repeated request from another under the same Idempotency-Key. Of answers it is these alone,
 * because a client that repeats them makes a new run id and sends what it holds by then.
 */
export function hashRequest(request: RunRequest): string {
  const { message, messageId, threadId, runId, profile, enabledSkills, sent } = request;
  const { resume, toolAnswers, tools } = request;
  if (resume || toolAnswers) {
    const entries = (resume ?? [])
      .map(({ interruptId, status, payload }) => ({ interruptId, status, payload }))
      .toSorted((a, b) => (a.interruptId < b.interruptId ? -1 : 1));
    const results = (toolAnswers ?? [])
      .map(({ toolCallId, content, error }) => ({ toolCallId, content, ...(error && { error }) }))
      .toSorted((a, b) => (a.toolCallId < b.toolCallId ? -1 : 1));
    return createHash('sha256')
      .update(canonicalJson({ threadId, message, entries, ...(toolAnswers && { results }) }))
      .digest('base64url');
  }
  const files = sent.files.map(({ name, body }) => [
    name,
    createHash('sha256').update(body).digest('base64url'),
  ]);
  const ids = sent.ids.map(({ id }) => id);
  return createHash('sha256')
    .update(
      JSON.stringify([
        message,
        messageId,
        threadId,
        runId,
        profile,
        enabledSkills,
        ids,
        files,
        ...(tools && tools.length > 0 ? [tools] : []),
      ]),
    )
    .digest('base64url');
}
