import { Injectable } from '@nestjs/common';
import { isJsonObject, type JsonObject } from '../common/json.js';
import { StewardError, type InputIssue } from '../common/steward-error.js';
import { CapabilityRegistry } from '../tool-router/capability-registry.js';
import { clientToolSet } from '../tool-router/client-tools/client-tool-set.js';
import { RunClientTools } from '../tool-router/client-tools/run-client-tools.js';
import { checkInputLimits } from '../tool-router/input/input-limits.js';
import { readInput } from '../tool-router/input/read-input.js';
import { findCredential } from '../tool-output/credential-scan.js';
import { callHash, type Interrupt } from './interrupt.js';
import type { Resolution } from './interrupt.repository.js';
import { answerIssues } from './response-schema.js';

/** An answer to one interrupt, as AG-UI's ResumeEntry and the REST route carry it. */
export interface InterruptAnswer {
  status: 'resolved' | 'cancelled';
  payload?: unknown;
}

/** What an answer comes to. */
export interface ReadAnswer extends Pick<
  Resolution,
  'status' | 'response' | 'grantedInput' | 'grantedHash'
> {
  /** Whether the person allows the method from now on. */
  always: boolean;
}

/** Checks what people answer, before anything is changed. */
@Injectable()
export class AnswerReader {
  constructor(
    private readonly registry: CapabilityRegistry,
    private readonly clientTools: RunClientTools,
  ) {}

  /**
   * @param path of the answer in the request, for issues.
   * @throws StewardError INVALID_ACTION_INPUT with issues, CREDENTIAL_IN_INPUT, METHOD_NOT_FOUND for
   * edited arguments of a method that is gone.
   */
  async read(interrupt: Interrupt, answer: InterruptAnswer, path: string): Promise<ReadAnswer> {
    if (answer.status === 'cancelled') return this.cancelled(interrupt);
    const at = `${path}payload`;
    const payload = this.payload(interrupt, answer.payload, at);
    if (interrupt.kind === 'question') return granted('answered', interrupt, payload);
    if (payload.approved !== true) {
      const extra = ['editedArgs', 'always'].find((key) => payload[key] !== undefined);
      if (extra !== undefined && payload[extra] !== false) {
        const message = 'Only an approval has this.';
        throw invalid([{ path: `${at}.${extra}`, message, expected: 'approved: true' }]);
      }
      return { ...NOTHING_GRANTED, status: 'denied', response: payload };
    }
    const { editedArgs, always } = payload;
    const input = isJsonObject(editedArgs)
      ? await this.edited(interrupt, editedArgs, `${at}.editedArgs`)
      : interrupt.input;
    return { ...granted('approved', interrupt, payload, input), always: always === true };
  }

  /** Not to answer a question is an answer of its own; the method is told. */
  private cancelled(interrupt: Interrupt): ReadAnswer {
    return interrupt.kind === 'question'
      ? granted('declined', interrupt, null)
      : { ...NOTHING_GRANTED, status: 'denied', response: null };
  }

  private payload(interrupt: Interrupt, payload: unknown, at: string): JsonObject {
    if (!isJsonObject(payload)) {
      throw invalid([{ path: at, message: 'Must be an object.', expected: 'responseSchema' }]);
    }
    const fault = checkInputLimits(payload);
    if (fault) throw under(at, fault);
    const credential = findCredential(payload);
    if (credential) {
      const message = 'The answer carries a credential, which a model would read. Remove it.';
      const issues = [{ path: join(at, credential.path), message }];
      throw new StewardError('CREDENTIAL_IN_INPUT', message, { issues });
    }
    const issues = answerIssues(interrupt.responseSchema, payload);
    if (issues.length > 0) {
      throw invalid(issues.map((issue) => ({ ...issue, path: join(at, issue.path) })));
    }
    return payload;
  }

  private async edited(interrupt: Interrupt, args: JsonObject, at: string): Promise<JsonObject> {
    const { module, method } = interrupt;
    const capability = this.registry.get(`${module}.${method}`) ?? (await this.ofClient(interrupt));
    if (!capability) {
      throw new StewardError('METHOD_NOT_FOUND', `${module}.${method} does not exist any more.`);
    }
    try {
      return (await readInput(capability, args)).input;
    } catch (error) {
      throw error instanceof StewardError ? under(at, error) : error;
    }
  }

  /** A tool of the client of the run that asks. */
  private async ofClient({ userId, runId, module, method }: Interrupt) {
    const tools = await this.clientTools.of(userId, runId);
    return tools ? clientToolSet(tools).get(`${module}.${method}`) : undefined;
  }
}

const NOTHING_GRANTED = { grantedInput: null, grantedHash: null, always: false } as const;

function granted(
  status: 'approved' | 'answered' | 'declined',
  { module, method, input: asked }: Interrupt,
  response: JsonObject | null,
  input: JsonObject = asked,
): ReadAnswer {
  const grantedHash = callHash(module, method, input);
  return { status, response, grantedInput: input, grantedHash, always: false };
}

function join(at: string, path: string): string {
  return path === '' ? at : `${at}.${path}`;
}

function invalid(issues: InputIssue[]): StewardError {
  return new StewardError('INVALID_ACTION_INPUT', 'The answer is not valid.', { issues });
}

/** The same error, its places named from the request on. */
function under(at: string, { code, message, details }: StewardError): StewardError {
  const issues = (details.issues ?? [{ path: '', message }]).map((issue) => ({
    ...issue,
    path: join(at, issue.path),
  }));
  return new StewardError(code, message, { ...details, issues });
}
