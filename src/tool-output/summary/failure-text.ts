import { isErrorCode, type ErrorCode } from '../../common/error-codes.js';
import type { Locale } from '../../common/locale.js';
import { cleanText } from './clean-text.js';

/** What a summary needs of an error; a plain text stands for older callers. */
export type SummaryError = { code?: string; message?: string } | string;

/** What could not be done, by capability id: `创建日程失败`, `Could not create the event`. */
const ACTIONS: Readonly<Record<string, readonly [zh: string, en: string]>> = {
  'calendar.create': ['创建日程', 'create the event'],
  'calendar.read': ['查询日程', 'read the calendar'],
  'calendar.update': ['更新日程', 'update the event'],
  'calendar.delete': ['删除日程', 'delete the event'],
  'calendar.share': ['分享日程', 'share the event'],
  'calendar.accept_invite': ['接受邀请', 'accept the invitation'],
  'calendar.reject_invite': ['拒绝邀请', 'decline the invitation'],
  'contacts.read': ['查询联系人', 'look up the contact'],
  'memory.update': ['更新记忆', 'update the memory'],
  'help.methods': ['查询方法', 'list the methods'],
  'help.describe': ['查阅方法说明', 'describe the method'],
  'help.search': ['搜索方法', 'search the methods'],
  'help.skills': ['查询技能', 'list the skills'],
  'help.skill': ['查阅技能', 'read the skill'],
};

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

/** A message in Chinese; an English one says nothing more to a Chinese reader than the reason does. */
const HAN = /\p{Script=Han}/u;

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
  const action =
    capability !== null && Object.hasOwn(ACTIONS, capability) ? ACTIONS[capability] : undefined;
  const reason = isErrorCode(code) ? REASONS[code] : undefined;
  if (locale === 'zh-CN') {
    const head = action ? `${action[0]}失败` : `${label} 执行失败`;
    const readable = reason === undefined || HAN.test(message) ? message : '';
    const why = [reason?.[0], readable].filter(Boolean).join('：');
    return why ? `${head}：${why}` : head;
  }
  const head = action ? `Could not ${action[1]}` : `${label} failed`;
  const why = message || reason?.[1];
  return why ? `${head}: ${why}` : head;
}
