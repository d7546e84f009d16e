import type { Locale } from '../../../common/locale.js';

/** Every fixed text of the memory's cards. */
export interface MemoryTexts {
  remembered: string;
  updated: string;
  unchanged: string;
  removed: string;
  failed: string;
  fact: string;
  reason: string;
  none: string;
  /** Title of a card of several changes. */
  batch: (changed: number, failed: number) => string;
  source: Record<string, string>;
  expires: string;
  forget: string;
  forgetThese: string;
  forgetQuestion: (count: number) => string;
  forgetNote: string;
  forgotten: (count: number) => string;
  /** Between texts of a list. */
  comma: string;
}

const ZH: MemoryTexts = {
  remembered: '已记住',
  updated: '已更新记忆',
  unchanged: '早已记住',
  removed: '已移除',
  failed: '失败',
  fact: '内容',
  reason: '原因',
  none: '无',
  batch: (changed, failed) =>
    failed > 0 ? `${changed} 条记忆已处理，${failed} 条失败` : `${changed} 条记忆已处理`,
  source: { user_said: '来自你说的话', agent_inferred: '助手推断', imported: '来自导入' },
  expires: '有效期至',
  forget: '忘记',
  forgetThese: '确认忘记',
  forgetQuestion: (count) => `要忘记这 ${count} 条记忆吗？`,
  forgetNote: '忘记后无法恢复，历史记录也会一并删除。',
  forgotten: (count) => `已忘记 ${count} 条记忆`,
  comma: '、',
};

const EN: MemoryTexts = {
  remembered: 'Remembered',
  updated: 'Memory updated',
  unchanged: 'Known already',
  removed: 'Removed',
  failed: 'failed',
  fact: 'Fact',
  reason: 'Reason',
  none: 'none',
  batch: (changed, failed) => {
    const changes = `${changed} ${changed === 1 ? 'fact' : 'facts'} processed`;
    return failed > 0 ? `${changes}, ${failed} failed` : changes;
  },
  source: {
    user_said: 'You said so',
    agent_inferred: 'Concluded from the talk',
    imported: 'Imported',
  },
  expires: 'Until',
  forget: 'Forget',
  forgetThese: 'Forget these',
  forgetQuestion: (count) => (count === 1 ? 'Forget this fact?' : `Forget these ${count} facts?`),
  forgetNote: 'It cannot be undone; their history goes too.',
  forgotten: (count) => (count === 1 ? '1 fact forgotten' : `${count} facts forgotten`),
  comma: '; ',
};

const TEXTS: Record<Locale, MemoryTexts> = { 'zh-CN': ZH, en: EN };

export function textsOf(locale: Locale): MemoryTexts {
  return TEXTS[locale];
}
