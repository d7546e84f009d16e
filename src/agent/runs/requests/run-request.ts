import { createHash } from 'node:crypto';
import { canonicalJson } from '../../../common/canonical-json.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../common/json.js';
import { DEFAULT_PROFILE } from '../../../credential/exchange-request.js';
import { InputValidationPipe } from '../../../http/validation.pipe.js';
import { findCredential } from '../../../tool-output/credential-scan.js';
import { credentialInInput } from '../../../tool-router/credential-in-input.js';
import type { SentFiles } from '../../attachments/message-attachments.js';
import { toStorable } from '../../loop/safe-text.js';
import { readAgUiInput } from './agui-input.js';
import { CreateRunRequest } from '../dto/create-run.request.js';
import { ResumeRunRequest } from '../dto/resume-run.request.js';

/** An answer to an interrupt, of which nothing but its form is known. */
export interface ReadAnswer {
  interruptId: string;
  status: 'resolved' | 'cancelled';
  payload?: JsonValue;
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
  /** Answers to everything that the thread waits for. */
  resume?: readonly ReadAnswer[];
  /** Whether what waits in the thread is given up for the message, instead of refusing that. */
  givesUpWaiting?: boolean;
  /** Files that come with the message. */
  sent: SentFiles;
  /** Where `profile` and `enabledSkills` stand in the body: what their paths begin with. */
  optionsAt: string;
  /** AG-UI version that the client speaks, where it says so. */
  protocolVersion: string | undefined;
}

const plainForm = new InputValidationPipe();

/**
 * Reads the body of `POST /agent/runs`: `{message, …}` or `{threadId, resume}`, in which every member
 * is known, or AG-UI's RunAgentInput, which is known by its `messages` and may have members of any
 * version.
 * @throws StewardError CREDENTIAL_IN_INPUT for a message or another member that carries one;
 *   INVALID_ACTION_INPUT with every fault.
 */
export async function readRunRequest(body: unknown): Promise<RunRequest> {
  if (isJsonObject(body) && Object.hasOwn(body, 'messages')) return readAgUiInput(body);
  const credential = findCredential(body);
  if (credential) throw credentialInInput(credential.path);
  if (isJsonObject(body) && Object.hasOwn(body, 'resume')) return readResume(body);
  const plain = await read(body, CreateRunRequest);
  return {
    givesUpWaiting: true,
    message: toStorable(plain.message),
    messageId: null,
    threadId: plain.threadId ?? undefined,
    runId: undefined,
    profile: plain.profile ?? DEFAULT_PROFILE,
    enabledSkills: plain.enabledSkills ?? null,
    sent: {
      ids: (plain.attachments ?? []).map((id, index) => ({ id, path: `attachments.${index}` })),
      files: [],
    },
    optionsAt: '',
    protocolVersion: undefined,
  };
}

async function readResume(body: JsonObject): Promise<RunRequest> {
  const { threadId, resume } = await read(body, ResumeRunRequest);
  return {
    message: null,
    messageId: null,
    threadId,
    runId: undefined,
    profile: DEFAULT_PROFILE,
    enabledSkills: null,
    resume,
    sent: { ids: [], files: [] },
    optionsAt: '',
    protocolVersion: undefined,
  };
}

async function read<T extends object>(body: unknown, form: new () => T): Promise<T> {
  const plain: unknown = await plainForm.transform(body, { type: 'body', metatype: form });
  if (!(plain instanceof form)) throw new Error(`the pipe made no ${form.name}`);
  return plain;
}

/**
 * Tells a repeated request from another under the same Idempotency-Key. Of answers it is these alone,
 * because a client that repeats them makes a new run id and sends what it holds by then.
 */
export function hashRequest(request: RunRequest): string {
  const { message, messageId, threadId, runId, profile, enabledSkills, sent, resume } = request;
  if (resume) {
    const entries = resume
      .map(({ interruptId, status, payload }) => ({ interruptId, status, payload }))
      .toSorted((a, b) => (a.interruptId < b.interruptId ? -1 : 1));
    return createHash('sha256')
      .update(canonicalJson({ threadId, message, entries }))
      .digest('base64url');
  }
  const files = sent.files.map(({ name, body }) => [
    name,
    createHash('sha256').update(body).digest('base64url'),
  ]);
  const ids = sent.ids.map(({ id }) => id);
  return createHash('sha256')
    .update(
      JSON.stringify([message, messageId, threadId, runId, profile, enabledSkills, ids, files]),
    )
    .digest('base64url');
}
