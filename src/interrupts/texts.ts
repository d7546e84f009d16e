import { actionName } from '../common/action-names.js';
import type { Locale } from '../common/locale.js';
import { cleanText } from '../tool-output/summary/clean-text.js';

/** Longest description shown; a name that somebody else chose must not push the question away. */
const DESCRIPTION_MAX = 300;

/**
 * What a person is asked when a call needs leave: `是否允许删除日程：项目会（2026年12月2日 15:00）？`.
 * @param description what the call touches, by the method; '' where it says nothing.
 */
export function approvalMessage(id: string, description: string, locale: Locale): string {
  const action = actionName(id, locale);
  const what = cleanText(description, DESCRIPTION_MAX);
  if (locale === 'zh-CN') {
    return `是否允许${action ?? `执行 ${id}`}${what && `：${what}`}？`;
  }
  return `Allow the agent to ${action ?? `run ${id}`}${what && `: ${what}`}?`;
}
