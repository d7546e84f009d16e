import { isErrorCode, type ErrorCode } from './error-codes.js';
import type { Locale } from './locale.js';

const REASONS: Readonly<Record<ErrorCode, readonly [zh: string, en: string]>> = {
  INVALID_TOOL_CALL: ['调用格式不正确', 'the call is malformed'],
  MODULE_NOT_FOUND: ['没有这个模块', 'there is no such module'],
  METHOD_NOT_FOUND: ['没有这个方法', 'there is no such method'],
  METHOD_DISABLED: ['方法已停用', 'the method is disabled'],
  METHOD_NOT_ALLOWED: ['未被允许', 'it is not allowed'],
  INVALID_ACTION_INPUT: ['输入不正确', 'the input is not valid'],
  CREDENTIAL_IN_INPUT: ['输入中含有凭证', 'the input carries a credential'],
  CREDENTIAL_MISSING: ['缺少凭证', 'the credential is missing'],
  CREDENTIAL_INVALID: ['凭证无效', 'the credential is not valid'],
  CREDENTIAL_EXPIRED: ['凭证已过期', 'the credential has expired'],
  CREDENTIAL_REVOKED: ['凭证已撤销', 'the credential was revoked'],
  SCOPE_EXCEEDED: ['超出凭证范围', 'it is outside the credential’s scope'],
  NOT_FOUND: ['未找到', 'not found'],
  FORBIDDEN: ['没有权限', 'not permitted'],
  CONFLICT: ['发生冲突', 'there is a conflict'],
  RUN_ACTIVE: ['已有运行在进行', 'a run is already active'],
  LIMIT_EXCEEDED: ['超出限制', 'a limit is exceeded'],
  RATE_LIMITED: ['请求过于频繁', 'too many requests'],
  APPROVAL_REQUIRED: ['需要批准', 'it needs approval'],
  APPROVAL_DENIED: ['未获批准', 'approval was denied'],
  APPROVAL_EXPIRED: ['批准已过期', 'the approval has expired'],
  TIMEOUT: ['已超时', 'it took too long'],
  CANCELLED: ['已取消', 'it was cancelled'],
  DEPENDENCY_UNAVAILABLE: ['服务暂不可用', 'a service is unavailable'],
  OUTPUT_INVALID: ['结果格式不正确', 'the result is malformed'],
  OUTPUT_TOO_LARGE: ['结果过大', 'the result is too large'],
  INTERNAL: ['内部错误', 'an internal error occurred'],
};

/** Codes whose message says what to change; the reason alone would not. */
const TELLING: readonly string[] = ['INVALID_ACTION_INPUT', 'LIMIT_EXCEEDED', 'CONFLICT'];

/** A message in Chinese; an English one mostly says no more to a Chinese reader than the reason. */
export const isChinese = (message: string): boolean => /\p{Script=Han}/u.test(message);

/** Why something failed, in the reader's language; undefined for what is no code of PROTOCOL §5. */
export function reasonOf(code: unknown, locale: Locale): string | undefined {
  return isErrorCode(code) ? REASONS[code][locale === 'zh-CN' ? 0 : 1] : undefined;
}

/**
 * The failure of one item of a list, for a person: the message where it is in their language, else
 * the reason, with the message where only that tells what was wrong. '' when nothing is known.
 */
export function failureText(error: { code?: unknown; message?: unknown }, locale: Locale): string {
  const message = typeof error.message === 'string' ? error.message : '';
  const reason = reasonOf(error.code, locale);
  if (locale !== 'zh-CN' || isChinese(message)) return message || (reason ?? '');
  if (reason === undefined || message === '') return reason ?? message;
  return TELLING.includes(String(error.code)) ? `${reason}（${message}）` : reason;
}
