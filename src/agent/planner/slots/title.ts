import { type Draft, GAP } from '../text/draft.js';
import type { PeopleSaid } from './people.js';

/** Longest title that is taken from a message, in UTF-16 units (calendar allows 200). */
const TITLE_MAX = 120;

const QUOTED = /[「『《“"]([^「」『』《》“”"\uE000]{1,120})[」』》”"]/;
const ZH_NAMED = /(?:标题|题目|名称|名字|主题)(?:是|为|叫|:|：)?\s*([^\uE000,，。;；]{1,80})/;
const EN_NAMED =
  /\b(?:called|titled|named|title:?)\s+([^\uE000,;]{1,120}?)(?=\s+(?:with|in|at|on)\b|[\uE000,;]|$)/i;

/** Takes a title the user gave in quotation marks or by name out of the draft. */
export function takeGivenTitle(draft: Draft): string | null {
  for (const pattern of [QUOTED, ZH_NAMED, EN_NAMED]) {
    const match = pattern.exec(draft.text);
    const piece = match?.[1]?.trim();
    if (!match || !piece) continue;
    const start = match.index + match[0].indexOf(piece);
    const title = draft.original.slice(start, start + piece.length);
    draft.blank(match.index, match.index + match[0].length);
    return shorten(title);
  }
  return null;
}

const ZH_LEAD =
  /^(?:请|麻烦|烦请|你?帮我|帮忙|给我|替我|能不能|能否|可不可以|可以|我们?|想要?|需要|还?要|打算|准备|得|有(?=一?[个场次])|再|就|把|将|在日历[里上中]|日历[里上中]|安排(?=.)|创建|新建|新增|添加|预约|预订|预定|订(?=一?[个场桌间])|加(?=一?[个场到入进])|加上|记(?:一下|上)|建(?:立)?(?=一?[个场])|约(?!会)|定(?=一?[个场])|排(?=一?个)|提醒|召开|举行|一下|下(?=一?个)|一[个场次条项顿]|[个场](?![人体地所])|(?:日程|日历|事件)[:：]?(?=$|\s)|新的|的|要|去(?=开|见|吃)|一起|一块|到时候?|是|:|：|-|\s)/;
const ZH_TAIL =
  /(?:到|进|在|加入)?(?:我的|我)?(?:日程|日历)(?:表)?(?:里面?|上|中)?$|(?:吧|哦|啊|呀|哈|呗|谢谢|多谢|可以吗|好吗|行吗|行不行|的|一下|时间|安排|从|在|到|,|，|\s)$/;
const EN_LEAD =
  /^(?:hey|ok|okay|please|can you|could you|would you|i'?d like to|i would like to|i want to|i need to|i have to|i have|we have|let'?s|help me|to|and|then|schedule|create|add|book|set ?up|plan|arrange|organi[sz]e|put|make|reserve|block(?: off)?|pencil in|enter|remind me(?: to| about| of)?|another|new|an?|the|for|event|-|:|\s)(?=\s|$)\s*/i;
const EN_TAIL = /\s+(?:for me|please|thanks|to|on|at|in|from|for|with|and|it)$|[\s,.;!?-]$/i;
const EN_GENERIC =
  /^(?:meeting|meet(?: up)?|call|chat|sync|appointment|event|session|talk|video call|phone call|catch ?up|1:1|one on one)$/i;
const EN_SOCIAL = /^(?:lunch|dinner|breakfast|brunch|coffee|drinks|tea|supper|walk)$/i;
const ZH_SOCIAL =
  /^(?:吃|喝|见|聊|打|看|去|逛|碰|面谈|面聊|通话|沟通|午饭|晚饭|午餐|晚餐|早餐|聚餐|咖啡)/;
const ZH_GENERIC = /^(?:会议?|个会|会面|meeting)$/i;

/** Strips fillers from both ends, again and again, as long as something is left. */
export function stripEnds(piece: string, lead: RegExp, tail: RegExp): string {
  let text = piece.trim();
  for (let round = 0; round < 12; round += 1) {
    const next = text.replace(lead, '').replace(tail, '').trim();
    if (next === text) break;
    text = next;
  }
  return text;
}

/** Title of a new event from what a Chinese draft has left; null when nothing names it. */
export function zhTitle(draft: Draft, people: PeopleSaid): string | null {
  const pieces = draft.text
    .split(new RegExp(`[${GAP},，。.;；!！?？\\n]+`))
    .map((piece) => openMeeting(stripEnds(piece, ZH_LEAD, ZH_TAIL)))
    .filter((piece) => /[\p{L}\p{N}]/u.test(piece));
  const company = pieces.find((piece) => /^with\s/i.test(piece));
  const piece = pieces
    .filter((piece) => piece !== company)
    .toSorted((a, b) => b.length - a.length)[0];
  const names = [...people.persons, ...people.groups].join('、');
  const withNames = `和${spaced(names)}`;
  if (piece === undefined) return names === '' ? null : shorten(`${withNames}的会议`);
  if (ZH_GENERIC.test(piece)) return names === '' ? '会议' : shorten(`${withNames}的会议`);
  const title = draft.restore(piece);
  return shorten(names !== '' && ZH_SOCIAL.test(piece) ? withNames + title : title);
}

/** Blanks go around Latin names only: 和李雷的会议, 和 Amy 的会议. */
function spaced(names: string): string {
  const before = /^[\x21-\x7e]/.test(names) ? ' ' : '';
  const after = /[\x21-\x7e]$/.test(names) ? ' ' : '';
  return before + names + after;
}

/** `开项目会` is 项目会, `开会讨论预算` is 讨论预算. */
function openMeeting(piece: string): string {
  const purpose = /^开(?:一?[个场次])?会(?!议|员)[,，]?\s*(.+)$/.exec(piece)?.[1];
  if (purpose) return purpose;
  const opened =
    /^开(?:一?[个场次])?(.*(?:会议?|例会|站会|评审|复盘|研讨|培训|座谈|答辩|演示|汇报|启动|meeting|sync|review))$/i.exec(
      piece,
    )?.[1];
  return opened ?? piece;
}

/** Title of a new event from what an English draft has left; null when nothing names it. */
export function enTitle(draft: Draft, people: PeopleSaid, topic: string | null): string | null {
  const pieces = draft.text
    .split(new RegExp(`[${GAP},;!?()\\n]+|\\.(?:\\s|$)`))
    .map((piece) => stripEnds(piece, EN_LEAD, EN_TAIL))
    .filter((piece) => /[\p{L}\p{N}]/u.test(piece));
  const company = pieces.find((piece) => /^with\s/i.test(piece));
  const piece = pieces
    .filter((piece) => piece !== company)
    .toSorted((a, b) => b.length - a.length)[0];
  const names = [...people.persons, ...people.groups];
  if (piece === undefined && !company && topic === null && names.length === 0) return null;
  const bare = piece === undefined ? 'Meeting' : draft.restore(piece);
  const head = company === undefined ? bare : `${bare} ${draft.restore(company)}`;
  if (topic !== null) return capital(shorten(`${head} about ${topic}`));
  const named = piece === undefined || EN_GENERIC.test(piece) || EN_SOCIAL.test(piece);
  return capital(shorten(named && names.length > 0 ? `${head} with ${listed(names)}` : head));
}

const EN_TOPIC =
  /\b(?:about|regarding|re:|to discuss|to talk about|to go over)\s+([^\uE000,;!?]{1,120}?)(?=\s+(?:in|at|with|on)\s|\s*[\uE000,;!?]|\.(?:\s|$)|\s*$)/i;

/** Takes what a meeting is about (`about the budget`) out of an English draft. */
export function takeEnTopic(draft: Draft): string | null {
  const match = EN_TOPIC.exec(draft.text);
  const piece = match?.[1]?.trim();
  if (!match || !piece) return null;
  const start = match.index + match[0].lastIndexOf(piece);
  const topic = draft.original.slice(start, start + piece.length);
  draft.blank(match.index, match.index + match[0].length);
  return topic;
}

function listed(names: string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

function capital(title: string): string {
  const first = [...title][0] ?? '';
  return first.toUpperCase() + title.slice(first.length);
}

/** At most TITLE_MAX units, no half of a surrogate pair, one line. */
export function shorten(title: string): string {
  const flat = title.replace(/\s+/g, ' ').trim();
  return flat.length <= TITLE_MAX ? flat : flat.slice(0, TITLE_MAX).toWellFormed().trim();
}
