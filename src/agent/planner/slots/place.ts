import { type Draft, GAP } from '../text/draft.js';

const STOP = `${GAP},，。.;；!！?？`;
const ROOM_WORD =
  '(?:会议室|办公室|会客室|教室|包间|包厢|餐厅|饭店|酒店|咖啡馆|咖啡厅|咖啡店|食堂|楼|大厦|广场|大厅|展厅|医院|诊所|学校|大学|公司|机场|车站|体育馆|健身房|公园|图书馆|线上)';
const ZH_SAID = new RegExp(
  `(?:(?:地点|位置|地址|会议室)(?:在|是|为|:|：)|(?<=[${STOP}\\s])地点)\\s*([^${STOP}]{1,60})`,
);
const ZH_ROOM = new RegExp(
  `(?:在|于|去|到)\\s*([^${STOP}在]{0,20}?${ROOM_WORD}(?:\\s?[A-Za-z0-9]{1,6}(?:座|层|楼|号|室)?)?)`,
);
const ZH_AT = new RegExp(
  `(?:在|于)\\s*([^${STOP}的]{1,20}?)(?:上|里|内)?(?=开|见|吃|喝|聊|讨论|和|跟|与|面试|举行|办|[${STOP}]|$)`,
);
const ONLINE =
  /(?:用|通过|via|on|over)\s*(zoom|腾讯会议|飞书会议|飞书|钉钉|teams|google meet|meet|skype|webex|微信)(?:会议)?(?![a-z])/i;

/** Takes a place that names itself as one (`在三号会议室`), before numbers are read as dates. */
export function takeZhRoom(draft: Draft): string | null {
  return cut(draft, ZH_SAID) ?? cut(draft, ZH_ROOM);
}

/** Takes any other place (`在星巴克`), after times are gone. */
export function takeZhPlace(draft: Draft): string | null {
  return cut(draft, ONLINE) ?? cut(draft, ZH_AT);
}

const EN_SAID = new RegExp(`\\b(?:location|place|venue)\\s*(?::|is)\\s*([^${GAP},;!?]{1,80})`, 'i');
const EN_AT = new RegExp(
  `\\b(?:in|at|@)\\s+(?!with\\b|about\\b|for\\b|on\\b|my calendar|the calendar)([^${GAP},;!?]{1,60}?)(?=\\s+(?:with|about|for|on|regarding|to discuss|and invite|invite)\\b|\\s*[${GAP},;!?]|\\.(?:\\s|$)|\\.?\\s*$)`,
  'i',
);

/** Takes a place out of an English draft, after times are gone. */
export function takeEnPlace(draft: Draft): string | null {
  return cut(draft, EN_SAID) ?? cut(draft, ONLINE) ?? cut(draft, EN_AT);
}

function cut(draft: Draft, pattern: RegExp): string | null {
  const match = pattern.exec(draft.text);
  const place = match?.[1]?.trim();
  if (!match || !place) return null;
  const start = match.index + match[0].lastIndexOf(place);
  const written = draft.original.slice(start, start + place.length);
  draft.blank(match.index, match.index + match[0].length);
  return written;
}
