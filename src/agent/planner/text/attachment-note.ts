import type { Locale } from '../../../common/locale.js';
import type { ChatMessage, ContentPart } from '../../models/chat-model.js';

/** Characters of a text file that are repeated. */
const SHOWN = 300;

const TEXTS: Record<Locale, { unseen: string; read: string }> = {
  en: {
    unseen: 'I cannot look into pictures and PDF files; I only read text.',
    read: 'Of the file I can only repeat how it begins:',
  },
  'zh-CN': {
    unseen: '我无法查看图片和 PDF 文件，只能读取文本。',
    read: '文件的内容我只能复述开头：',
  },
};

/**
 * What is honestly said of the files of the newest user message, before the answer; '' without files.
 */
export function attachmentNote(messages: readonly ChatMessage[], locale: Locale): string {
  const newest = messages.findLast((message) => message.role === 'user' && message.from !== 'tool');
  const parts = newest?.role === 'user' ? (newest.parts ?? []) : [];
  if (parts.length === 0) return '';
  const texts = parts.flatMap((part) => textOf(part) ?? []);
  const { unseen, read } = TEXTS[locale];
  const lines = texts.map((text) => `${read}\n${text}`);
  if (texts.length === 0 || parts.some(({ type }) => type !== 'text')) lines.unshift(unseen);
  return `${lines.join('\n\n')}\n\n`;
}

/** The beginning of a text that stands between fences; null for a part that has none. */
function textOf(part: ContentPart): string | null {
  if (part.type !== 'text') return null;
  const fenced = /\n(`{3,})\n([^]*)\n\1(?:\n|$)/.exec(part.text)?.[2];
  if (fenced === undefined) return null;
  const shown = [...fenced].slice(0, SHOWN).join('');
  return shown.length < fenced.length ? `${shown}…` : shown;
}
