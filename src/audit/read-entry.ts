import { isJsonObject, type JsonObject } from '../common/json.js';
import { AUDIT_KINDS, type AuditKind } from './audit-entry.js';
import type { SearchColumns } from './audit-rows.js';

/** The JSON object of an entry's text; null for what no server wrote. */
export function readContent(content: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(content);
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** What columns must repeat of an entry's text; null where the text is not that of an entry. */
export function searchColumns(content: string): SearchColumns | null {
  const entry = readContent(content);
  if (!entry) return null;
  const { id, at, kind, actor, subject, runId } = entry;
  if (typeof id !== 'string' || typeof at !== 'string' || !isKind(kind)) return null;
  const time = new Date(at);
  if (Number.isNaN(time.getTime())) return null;
  return { id, at: time, kind, actor: text(actor), subject: text(subject), runId: text(runId) };
}

function isKind(kind: unknown): kind is AuditKind {
  return AUDIT_KINDS.some((known) => known === kind);
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
