import { isJsonObject, type JsonObject } from '../../../common/json.js';
import { StewardError, type InputIssue } from '../../../common/steward-error.js';
import { DEFAULT_PROFILE, PROFILE_PATTERN } from '../../../credential/exchange-request.js';
import { CLIENT_ID_PATTERN } from '../../../threads/thread.js';
import { findCredential } from '../../../tool-output/credential-scan.js';
import { readClientTools } from '../../../tool-router/client-tools/read-client-tools.js';
import { credentialInInput } from '../../../tool-router/credential-in-input.js';
import type { SentFiles } from '../../attachments/message-attachments.js';
import { toStorable } from '../../loop/safe-text.js';
import { MAX_ATTACHMENTS, MAX_SKILLS, MESSAGE_MAX_LENGTH } from '../dto/create-run.request.js';
import { readPart } from './agui-part.js';
import { readAgUiResume } from './agui-resume.js';
import { readToolMessages } from './agui-tool-messages.js';
import type { RunRequest } from './run-request.js';

const VERSION = /^\d{1,4}\.\d{1,4}$/;

/**
 * Reads AG-UI's RunAgentInput of 0.0.59 and of 1.0. The server has the thread's history, so of
 * `messages` only the last user message counts; what a client resends before it is not stored
 * again. With `resume` it counts only where nothing comes after it. Members that are not understood are left alone, as the protocol asks.
 * @throws StewardError CREDENTIAL_IN_INPUT when what it reads carries one; INVALID_ACTION_INPUT with
 *   every fault.
 */
export function readAgUiInput(body: JsonObject): RunRequest {
  const issues: InputIssue[] = [];
  const forwarded = isJsonObject(body.forwardedProps) ? body.forwardedProps : {};
  const { threadId, runId } = body;
  const { profile, enabledSkills } = forwarded;
  refuseCredential({ threadId, runId, forwardedProps: { profile, enabledSkills } });
  const resume = readAgUiResume(body.resume, issues);
  const toolMessages = readToolMessages(body.messages);
  const silent = resume && !endsWithUser(body.messages);
  const request: RunRequest = {
    ...(silent ? NO_MESSAGE : readMessage(body.messages, issues)),
    ...(resume && { resume }),
    threadId: readId(body.threadId, 'threadId', issues),
    runId: readId(body.runId, 'runId', issues),
    tools: readClientTools(body.tools, 'tools', issues),
    ...(toolMessages.length > 0 && { toolMessages }),
    says: endsWithUser(body.messages),
    profile: readProfile(forwarded.profile, issues),
    enabledSkills: readSkills(forwarded.enabledSkills, issues),
    optionsAt: 'forwardedProps.',
    protocolVersion:
      typeof body.protocolVersion === 'string' && VERSION.test(body.protocolVersion)
        ? body.protocolVersion
        : undefined,
  };
  if (resume && request.threadId === undefined) {
    issues.push({ path: 'threadId', message: 'must be the thread that waits', expected: 'string' });
  }
  if (issues.length === 0) return request;
  const [first] = issues;
  const detail = first ? `${first.path}: ${first.message}` : 'The input is not valid.';
  throw new StewardError('INVALID_ACTION_INPUT', detail, { issues });
}

const NO_MESSAGE = { message: null, messageId: null, sent: { ids: [], files: [] } };

/** Whoever answers says nothing besides, unless the last message is a new one of theirs. */
function endsWithUser(messages: unknown): boolean {
  const last: unknown = Array.isArray(messages) ? messages.at(-1) : undefined;
  return isJsonObject(last) && last.role === 'user';
}

function readMessage(
  messages: unknown,
  issues: InputIssue[],
): Pick<RunRequest, 'message' | 'messageId' | 'sent'> {
  const index = Array.isArray(messages)
    ? messages.findLastIndex((candidate) => isJsonObject(candidate) && candidate.role === 'user')
    : -1;
  const found: unknown = Array.isArray(messages) ? messages[index] : undefined;
  if (!isJsonObject(found)) {
    issues.push({
      path: 'messages',
      message: 'must have a message of the user',
      expected: 'array with a message whose role is user',
    });
    return { message: '', messageId: null, sent: { ids: [], files: [] } };
  }
  const path = `messages.${index}`;
  refuseCredential(found, path);
  const { message, sent } = readContent(found.content, `${path}.content`, issues);
  const messageId = readId(found.id, `${path}.id`, issues) ?? null;
  return { message, messageId, sent };
}

function readContent(
  content: unknown,
  path: string,
  issues: InputIssue[],
): Pick<RunRequest, 'message' | 'sent'> {
  const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  const sent: SentFiles = { ids: [], files: [] };
  if (!Array.isArray(parts)) {
    issues.push({ path, message: 'must be a text or parts', expected: 'string or array' });
    return { message: '', sent };
  }
  const texts: string[] = [];
  for (const [index, value] of parts.entries()) {
    const part = readPart(value, `${path}.${index}`);
    if ('text' in part) texts.push(part.text);
    else if ('id' in part) sent.ids.push(part);
    else if ('body' in part) sent.files.push(part);
    else issues.push(part);
  }
  const files = sent.ids.length + sent.files.length;
  if (files > MAX_ATTACHMENTS) {
    issues.push({ path, message: `has more than ${MAX_ATTACHMENTS} files` });
  }
  const message = texts.join('\n');
  refuseCredential(message, path);
  if (message.trim() === '' && files === 0) issues.push({ path, message: 'must not be blank' });
  if ([...message].length > MESSAGE_MAX_LENGTH) {
    issues.push({ path, message: `is longer than ${MESSAGE_MAX_LENGTH} characters` });
  }
  if (message.includes('\0')) issues.push({ path, message: 'must not contain NUL' });
  return { message: toStorable(message), sent };
}

function readId(value: unknown, path: string, issues: InputIssue[]): string | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value === 'string' && CLIENT_ID_PATTERN.test(value)) return value;
  issues.push({
    path,
    message: 'is not an id',
    expected: '1 to 128 of A-Z a-z 0-9 . _ ~ : -',
  });
  return undefined;
}

function readProfile(value: unknown, issues: InputIssue[]): string {
  if (value === undefined || value === null) return DEFAULT_PROFILE;
  if (typeof value === 'string' && PROFILE_PATTERN.test(value)) return value;
  issues.push({
    path: 'forwardedProps.profile',
    message: 'is not the name of a profile',
    expected: '1 to 32 of a-z 0-9 _ -',
  });
  return DEFAULT_PROFILE;
}

function readSkills(value: unknown, issues: InputIssue[]): string[] | null {
  if (value === undefined || value === null) return null;
  const names = Array.isArray(value)
    ? value.filter((name): name is string => typeof name === 'string' && name.length <= 64)
    : [];
  if (Array.isArray(value) && names.length === value.length && names.length <= MAX_SKILLS) {
    return names;
  }
  issues.push({
    path: 'forwardedProps.enabledSkills',
    message: 'is not a list of skill names',
    expected: `at most ${MAX_SKILLS} strings`,
  });
  return null;
}

/** What is read here is stored and shown: it may carry no credential (PROTOCOL §13). */
function refuseCredential(value: unknown, at = ''): void {
  const found = findCredential(value);
  if (found) throw credentialInInput([at, found.path].filter((part) => part !== '').join('.'));
}
