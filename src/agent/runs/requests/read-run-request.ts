import { isJsonObject, type JsonObject, type JsonValue } from '../../../common/json.js';
import { StewardError, type InputIssue } from '../../../common/steward-error.js';
import { DEFAULT_PROFILE } from '../../../credential/exchange-request.js';
import { InputValidationPipe } from '../../../http/validation.pipe.js';
import { findCredential } from '../../../tool-output/credential-scan.js';
import type { ClientTool } from '../../../tool-router/client-tools/client-tool.js';
import { readClientTools } from '../../../tool-router/client-tools/read-client-tools.js';
import { credentialInInput } from '../../../tool-router/credential-in-input.js';
import { nearest } from '../../../tool-router/input/nearest.js';
import { toStorable } from '../../loop/safe-text.js';
import { CreateRunRequest } from '../dto/create-run.request.js';
import { ResumeRunRequest } from '../dto/resume-run.request.js';
import { readAgUiInput } from './agui-input.js';
import type { ReadToolAnswer, RunRequest } from './run-request.js';

const plainForm = new InputValidationPipe();
const ANSWERS: readonly string[] = ['resume', 'toolResults'];

/**
 * Reads the body of `POST /agent/runs`: `{message, …}` or `{threadId, resume}`, in which every member
 * is known, or AG-UI's RunAgentInput, which is known by its `messages` and may have members of any
 * version.
 * @throws StewardError CREDENTIAL_IN_INPUT for a message or another member that carries one;
 *   INVALID_ACTION_INPUT with every fault.
 */
export async function readRunRequest(body: unknown): Promise<RunRequest> {
  if (isJsonObject(body) && Object.hasOwn(body, 'messages')) return readAgUiInput(body);
  // Tools have a scan of their own: what a field is called is no credential.
  const credential = findCredential(isJsonObject(body) ? { ...body, tools: undefined } : body);
  if (credential) throw credentialInInput(credential.path);
  if (isJsonObject(body) && goesOn(body)) return readResume(body);
  const plain = await read(body, CreateRunRequest);
  return {
    givesUpWaiting: true,
    says: true,
    tools: readTools(plain.tools),
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

/** Has what only an answer has, or without a message what was probably meant so: its hint fits then. */
function goesOn(body: JsonObject): boolean {
  const keys = Object.keys(body);
  if (keys.some((key) => ANSWERS.includes(key))) return true;
  return !Object.hasOwn(body, 'message') && keys.some((key) => nearest(key, ANSWERS));
}

async function readResume(body: JsonObject): Promise<RunRequest> {
  const { threadId, resume, toolResults, tools } = await read(body, ResumeRunRequest);
  const toolMessages = (toolResults ?? []).map(({ toolCallId, content, error }, index) => ({
    toolCallId,
    content: typeof content === 'string' ? content : JSON.stringify(content ?? null),
    ...(error && { error }),
    isAnswer: true as const,
    path: `toolResults.${index}`,
  }));
  assertOnce(toolMessages);
  return {
    says: false,
    tools: readTools(tools),
    ...(resume && { resume }),
    ...(toolMessages.length > 0 && { toolMessages }),
    message: null,
    messageId: null,
    threadId,
    runId: undefined,
    profile: DEFAULT_PROFILE,
    enabledSkills: null,
    sent: { ids: [], files: [] },
    optionsAt: '',
    protocolVersion: undefined,
  };
}

/** @throws StewardError INVALID_ACTION_INPUT for a call that is answered twice. */
function assertOnce(results: readonly ReadToolAnswer[]): void {
  const answered = new Set<string>();
  for (const { toolCallId, path } of results) {
    if (!answered.has(toolCallId)) {
      answered.add(toolCallId);
      continue;
    }
    const issues = [{ path: `${path}.toolCallId`, message: `${toolCallId} has a result already` }];
    throw new StewardError('INVALID_ACTION_INPUT', 'A call has one result.', { issues });
  }
}

/** @throws StewardError INVALID_ACTION_INPUT, CREDENTIAL_IN_INPUT. */
function readTools(tools: JsonValue | undefined): ClientTool[] | null {
  if (tools === undefined || tools === null) return null;
  const issues: InputIssue[] = [];
  const read = readClientTools(tools, 'tools', issues);
  const [first] = issues;
  if (!first) return read;
  throw new StewardError('INVALID_ACTION_INPUT', `${first.path}: ${first.message}`, { issues });
}

async function read<T extends object>(body: unknown, form: new () => T): Promise<T> {
  const plain: unknown = await plainForm.transform(body, { type: 'body', metatype: form });
  if (!(plain instanceof form)) throw new Error(`the pipe made no ${form.name}`);
  return plain;
}
