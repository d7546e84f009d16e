import type { Locale } from '../common/locale.js';

/** What a person is asked when a call needs leave. */
export function approvalMessage(id: string, locale: Locale): string {
  return locale === 'zh-CN' ? `是否允许执行 ${id}？` : `Allow ${id}?`;
}
