import { StewardError } from '../common/steward-error.js';
import type { AuditFilter, AuditLogRepository } from './audit-log.repository.js';
import type { ChainEntry } from './audit-rows.js';
import { CHAIN_BEGIN, type ChainStart } from './chain-check.js';
import type { Seal } from './chain.js';
import { readContent } from './read-entry.js';

/** Rows that are held at once. */
const PAGE = 500;

/** What an export holds. */
export interface ExportRequest {
  filter: AuditFilter;
  /** Only what stands behind this entry: the export continues an earlier one. */
  after?: number | undefined;
}

/** Where an export begins. */
export interface ExportPlan extends ExportRequest {
  start: ChainStart;
  /** The signed end of what retention has removed, when the export begins there. */
  checkpoint: Seal | null;
  end: number;
}

/**
 * Finds out where an export begins and ends: with the newest sealed entry of now.
 * @throws StewardError INVALID_ACTION_INPUT when `after` names no entry.
 */
export async function planExport(
  log: AuditLogRepository,
  { filter, after = 0 }: ExportRequest,
): Promise<ExportPlan> {
  const checkpoint = await log.checkpoint();
  const end = (await log.head())?.seq ?? 0;
  if (after <= (checkpoint?.seq ?? 0)) {
    return { filter, start: checkpoint ?? CHAIN_BEGIN, checkpoint, end };
  }
  const start = await log.entry(after);
  if (start) return { filter, after, start, checkpoint: null, end };
  throw new StewardError('INVALID_ACTION_INPUT', 'There is no such entry to go on after.', {
    issues: [{ path: 'after', message: 'names no sealed entry', expected: `at most ${end}` }],
  });
}

/**
 * The lines of an export, JSON without the line break: `audit` (what it is), `entry` and `seal` in the
 * order of the chain, `end`, without which it is not complete. A page is read when the one before has
 * been taken. With a filter there are no seals: what is left out cannot be followed.
 */
export async function* exportLines(
  log: AuditLogRepository,
  { filter, start, checkpoint, end }: ExportPlan,
): AsyncGenerator<string> {
  const selection = Object.values(filter).some((value) => value !== undefined);
  const after = { seq: start.seq, hash: start.hash };
  yield JSON.stringify({ type: 'audit', version: 1, selection, filter, after, checkpoint });
  let entries = 0;
  let last = after;
  const bounds = { before: end + 1, order: 'ASC' } as const;
  for (let full = true; full;) {
    const page = await log.search(filter, { ...bounds, after: last.seq }, PAGE);
    full = page.length === PAGE;
    const until = full ? (page.at(-1)?.seq ?? end) : end;
    const seals = selection ? [] : await log.seals(last.seq, until, PAGE);
    for (const entry of page) {
      yield entryLine(entry);
      entries += 1;
      last = { seq: entry.seq, hash: entry.hash };
      for (const seal of seals.filter(({ seq }) => seq === entry.seq)) yield sealLine(seal);
    }
  }
  yield JSON.stringify({ type: 'end', entries, head: last });
}

function sealLine(seal: Seal): string {
  return JSON.stringify({ type: 'seal', ...seal });
}

/** The entry stands as JSON in its line, to the byte; one that no server wrote as text. */
function entryLine({ seq, prevHash, hash, attested, content, columns }: ChainEntry): string {
  const head = JSON.stringify({ type: 'entry', seq, prevHash, hash, attested }).slice(0, -1);
  const entry = attested && readContent(content) ? content : null;
  return entry === null
    ? `${head},"id":${JSON.stringify(columns.id)},"content":${JSON.stringify(content)}}`
    : `${head},"entry":${entry}}`;
}
