import { actionName } from '../../common/action-names.js';
import { isChinese, reasonOf } from '../../common/error-reasons.js';
import type { Locale } from '../../common/locale.js';
import { cleanText } from './clean-text.js';

/** What a summary needs of an error; a plain text stands for older callers. */
export type SummaryError = { code?: string; message?: string } | string;

/**
 * The failure in one sentence: what could not be done, why in the reader's language, and the
 * error's message where that is in this language or nothing else tells why. `label` names the method or the tool where no action is known.
 */
export function failureSentence(
  error: SummaryError,
  capability: string | null,
  label: string,
  locale: Locale,
): string {
  const code = typeof error === 'string' ? undefined : error.code;
  const message = cleanText((typeof error === 'string' ? error : error.message) ?? '');
  const action = capability === null ? undefined : actionName(capability, locale);
  const reason = reasonOf(code, locale);
  if (locale === 'zh-CN') {
    const head = action ? `${action}失败` : `${label} 执行失败`;
    const readable = reason === undefined || isChinese(message) ? message : '';
    const why = [reason, readable].filter(Boolean).join('：');
    return why ? `${head}：${why}` : head;
  }
  const head = action ? `Could not ${action}` : `${label} failed`;
  const why = message || reason;
  return why ? `${head}: ${why}` : head;
}
