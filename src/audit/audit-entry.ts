import type { ErrorCode } from '../common/error-codes.js';
import type { JsonObject } from '../common/json.js';
import { redactCredentials } from '../tool-output/credential-scan.js';

/** Every kind of act that the audit knows. */
export const AUDIT_KINDS = [
  'sign_in',
  'sign_in_failed',
  'sign_out',
  'credential_issued',
  'credential_reissued',
  'credential_revoked',
  'user_changed',
  'keys_rotated',
  'policy_changed',
  'capability_changed',
  'skills_changed',
  'approval_requested',
  'approval_resolved',
  'approval_rule_created',
  'approval_rule_removed',
  'tool_call',
  'grant_given',
  'grant_withdrawn',
  'schedule_created',
  'schedule_changed',
  'schedule_fired',
  'data_exported',
  'account_erased',
  'audit_retention',
] as const;

/** What was done. */
export type AuditKind = (typeof AUDIT_KINDS)[number];

/** One act. What is absent counts as null. */
export interface AuditEntry {
  kind: AuditKind;
  /** User id, `system`, or null for somebody who proved nothing. */
  actor: string | null;
  /** What it was done to: a user, version, jti, `module.method`, … */
  subject?: string | null;
  decision?: 'allow' | 'ask' | 'deny' | null;
  /** What made the decision, such as `profiles.chat.allow calendar.*`. */
  rule?: string | null;
  /** By `ArgumentsHash`; the arguments themselves never stand in the audit. */
  argumentsHash?: string | null;
  outcome: 'success' | 'partial' | 'failure' | 'pending' | 'replayed';
  code?: ErrorCode | null;
  runId?: string | null;
  threadId?: string | null;
  toolCallId?: string | null;
  door?: string | null;
  credentialJti?: string | null;
  /** At most 4 KiB of facts; never contents or secrets. */
  details?: JsonObject | null;
}

/** An entry as it is stored; its JSON text has the members in this order. */
export interface StoredEntry extends Required<AuditEntry> {
  v: 1;
  id: string;
  /** ISO 8601, UTC. */
  at: string;
}

const TEXT_MAX = 300;
const DETAILS_MAX = 4096;

/** The JSON text of an entry, which the chain is over. Pure. */
export function entryContent(id: string, at: Date, entry: AuditEntry): string {
  const stored: StoredEntry = {
    v: 1,
    id,
    at: at.toISOString(),
    kind: entry.kind,
    actor: fitting(entry.actor),
    subject: fitting(entry.subject),
    decision: entry.decision ?? null,
    rule: fitting(entry.rule),
    argumentsHash: entry.argumentsHash ?? null,
    outcome: entry.outcome,
    code: entry.code ?? null,
    runId: fitting(entry.runId),
    threadId: fitting(entry.threadId),
    toolCallId: fitting(entry.toolCallId),
    door: entry.door ?? null,
    credentialJti: fitting(entry.credentialJti),
    details: details(entry.details),
  };
  return JSON.stringify(stored);
}

/** An act is not lost because a caller named something that no column can hold. */
function fitting(text: string | null | undefined): string | null {
  return text?.slice(0, TEXT_MAX).replaceAll('\0', '\uFFFD').toWellFormed() ?? null;
}

function details(facts: JsonObject | null | undefined): JsonObject | null {
  if (!facts) return null;
  const redacted = redactCredentials(facts);
  const bytes = Buffer.byteLength(JSON.stringify(redacted));
  return bytes <= DETAILS_MAX ? redacted : { omitted: true, bytes };
}
