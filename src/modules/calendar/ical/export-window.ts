import { requireField } from '../../../common/required-fields.js';
import { rangeWindow, type TimeWindow } from '../rules/time-window.js';
import type { ExportIcsQuery } from './dto/export.dto.js';

/**
 * The window of an export; undefined when none is asked for.
 * @throws INVALID_ACTION_INPUT for half a window, or one that is too long.
 */
export function windowOf(query: ExportIcsQuery, zone: string): TimeWindow | undefined {
  if (query.start_at === undefined && query.end_at === undefined) return undefined;
  return rangeWindow(requireField(query, 'start_at'), requireField(query, 'end_at'), zone);
}
