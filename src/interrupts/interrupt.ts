import { createHash } from 'node:crypto';
import { canonicalJson } from '../common/canonical-json.js';
import type { JsonObject } from '../common/json.js';

/** What a person is asked for: leave for a call, or something that the call needs to know. */
export const INTERRUPT_KINDS = ['approval', 'question'] as const;
export type InterruptKind = (typeof INTERRUPT_KINDS)[number];

/**
 * `approved`, `denied`: the answers to an approval; `answered`, `declined`: those to a question;
 * `cancelled`: the conversation went on without an answer; `expired`: none came in time.
 */
export const INTERRUPT_STATUSES = [
  'pending',
  'approved',
  'denied',
  'answered',
  'declined',
  'cancelled',
  'expired',
] as const;
export type InterruptStatus = (typeof INTERRUPT_STATUSES)[number];

/**
 * A tool call that waits for a person, or did (AG-UI's interrupt). It holds the call's input as it
 * was validated, and no credential.
 */
export interface Interrupt {
  id: string;
  userId: string;
  threadId: string | null;
  /** Run whose call it is; null for a call outside of runs, which the REST routes answer. */
  runId: string | null;
  /** Name of the credential under which was asked. */
  credentialJti: string;
  toolCallId: string;
  /** Whitelist profile of the call; a standing approval is given for it. */
  profile: string;
  kind: InterruptKind;
  module: string;
  method: string;
  /** Repaired and validated input; what was shown to the person. */
  input: JsonObject;
  /** `callHash` of it. */
  inputHash: string;
  /** Rule that asks for the approval; null for a question of a method that needs none. */
  rule: string | null;
  message: string;
  /** JSON Schema (draft 2020-12) of the answer. */
  responseSchema: JsonObject;
  status: InterruptStatus;
  /** Answer as it came in and fits the schema; null before, and where there is none. */
  response: JsonObject | null;
  /** Input that may run: the same, or what the person made of it. Null until answered with yes. */
  grantedInput: JsonObject | null;
  grantedHash: string | null;
  createdAt: Date;
  expiresAt: Date;
  /** When nothing more can happen to it but being consumed; null while it waits for an answer. */
  resolvedAt: Date | null;
  /** Run that resumes with the answer: the only one in which it may be consumed. */
  resolvedRunId: string | null;
  /** When the call that it let through was done. */
  consumedAt: Date | null;
}

/**
 * What an approval is bound to besides user and session: SHA-256 over the canonical JSON of module,
 * method and input.
 */
export function callHash(module: string, method: string, input: JsonObject): string {
  return createHash('sha256').update(canonicalJson({ module, method, input })).digest('hex');
}

/** The status as it is now: time is over before anybody has noted it. Pure. */
export function statusAt({ status, expiresAt }: Interrupt, now: Date): InterruptStatus {
  return status === 'pending' && expiresAt <= now ? 'expired' : status;
}
