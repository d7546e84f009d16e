import type { Locale } from '../../../common/locale.js';
import { attachedName } from '../../attachments/attachment-part.js';
import type { ChatMessage, ContentPart } from '../../models/chat-model.js';

/** Characters of a text file that are repeated. */
const SHOWN = 300;

interface NoteTexts {
  /** @param names in quotes; '' where they are not known. */
  unread: (names: string) => string;
  begins: (name: string) => string;
  quoted: (name: string) => string;
  comma: string;
}

const TEXTS: Record<Locale, NoteTexts> = {
  en: {
    unread: (names) =>
      `Without a language model I cannot read files${names && `; with your message came ${names}`}.`,
    begins: (name) => `${name} begins like this:`,
    quoted: (name) => `“${name}”`,
    comma: ', ',
  },
  'zh-CN': {
    unread: (names) => `没有接入语言模型，我读不了文件${names && `；随消息附上的是${names}`}。`,
    begins: (name) => `${name}的开头是：`,
    quoted: (name) => `“${name}”`,
    comma: '、',
  },
};

/**
 * What is honestly said of the files of the newest user message, before the answer: that they are not
 * read, which they are, and how each text begins. '' without files.
 */
export function attachmentNote(messages: readonly ChatMessage[], locale: Locale): string {
  const newest = messages.findLast((message) => message.role === 'user' && message.from !== 'tool');
  const parts = newest?.role === 'user' ? (newest.parts ?? []) : [];
  if (parts.length === 0) return '';
  const { unread, begins, quoted, comma } = TEXTS[locale];
  const files = parts.flatMap((part) => {
    const name = attachedName(part);
    return name === null ? [] : [{ name: quoted(name), text: textOf(part) }];
  });
  const beginnings = files.flatMap(({ name, text }) =>
    text === null ? [] : [`${begins(name)}\n${text}`],
  );
  const names = files.map(({ name }) => name).join(comma);
  return `${[unread(names), ...beginnings].join('\n\n')}\n\n`;
}

/** The beginning of a text that stands between fences; null for a part that has none. */
function textOf(part: ContentPart): string | null {
  if (part.type !== 'text') return null;
  const fenced = /\n(`{3,})\n([^]*)\n\1(?:\n|$)/.exec(part.text)?.[2];
  if (fenced === undefined) return null;
  const shown = [...fenced].slice(0, SHOWN).join('');
  return shown.length < fenced.length ? `${shown}…` : shown;
}
