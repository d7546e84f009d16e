import { createHash } from 'node:crypto';
import { isJsonObject } from '../../common/json.js';
import { DEFAULT_PROFILE } from '../../credential/exchange-request.js';
import { InputValidationPipe } from '../../http/validation.pipe.js';
import { findCredential } from '../../tool-output/credential-scan.js';
import { credentialInInput } from '../../tool-router/credential-in-input.js';
import type { SentFiles } from '../attachments/message-attachments.js';
import { toStorable } from '../loop/safe-text.js';
import { readAgUiInput } from './agui-input.js';
import { CreateRunRequest } from './dto/create-run.request.js';

/** What a client asks for, in whichever of the two forms it said it. */
export interface RunRequest {
  message: string;
  /** Id of the message, where the client made one. */
  messageId: string | null;
  threadId: string | undefined;
  /** Id of the run, where the client made one. */
  runId: string | undefined;
  profile: string;
  enabledSkills: string[] | null;
  /** Files that come with the message. */
  sent: SentFiles;
  /** Where `profile` and `enabledSkills` stand in the body: what their paths begin with. */
  optionsAt: string;
  /** AG-UI version that the client speaks, where it says so. */
  protocolVersion: string | undefined;
}

const plainForm = new InputValidationPipe();

/**
 * Reads the body of `POST /agent/runs`: `{message, …}`, in which every member is known, or AG-UI's
 * RunAgentInput, which is known by its `messages` and may have members of any version.
 * @throws StewardError CREDENTIAL_IN_INPUT for a message or another member that carries one;
 *   INVALID_ACTION_INPUT with every fault.
 */
export async function readRunRequest(body: unknown): Promise<RunRequest> {
  if (isJsonObject(body) && Object.hasOwn(body, 'messages')) return readAgUiInput(body);
  const credential = findCredential(body);
  if (credential) throw credentialInInput(credential.path);
  const plain: unknown = await plainForm.transform(body, {
    type: 'body',
    metatype: CreateRunRequest,
  });
  if (!(plain instanceof CreateRunRequest)) throw new Error('the pipe made no CreateRunRequest');
  return {
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

/** Tells a repeated request from another under the same Idempotency-Key. */
export function hashRequest(request: RunRequest): string {
  const { message, messageId, threadId, runId, profile, enabledSkills, sent } = request;
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
