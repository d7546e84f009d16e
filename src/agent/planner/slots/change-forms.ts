/** A way to ask for a change; the groups `target`, `value` and `way` are its parts. */
export interface ChangeForm {
  kind: 'title' | 'place' | 'people' | 'shift' | 'stretch' | 'general';
  pattern: RegExp;
}

const ZH_LENGTH =
  '[\\d.一两二三四五六七八九十半]{1,5}(?:个)?(?:半)?个?(?:小时|钟头|分钟|刻钟|天|周|星期|礼拜)(?:半)?';
const EN_LENGTH =
  '(?:(?:\\d[\\d.]*|an?|one|two|three|half an?|fifteen|thirty|forty-five|ninety)[\\s-]?(?:hours?|hrs?|h|minutes?|mins?|m|days?|weeks?)(?: and a half)?)';
const EN_MOVE =
  'move|reschedule|postpone|push(?: back)?|shift|change|update|delay|bring(?: forward)?';

/** Tried in order; the first that matches and has a usable value wins. */
export const CHANGE_FORMS: readonly ChangeForm[] = [
  {
    kind: 'people',
    pattern:
      /^(?<target>)(?:还有|再?(?:加上|叫上|喊上|拉上|带上)|(?:再|也|顺便)?(?:邀请|叫|请)上?)\s*(?<value>[^,，。\s\d]{1,30}(?:[、和]\s*[^,，。\s\d]{1,20})*|[A-Za-z][\w.@+ -]{0,60})(?:也?(?:参加|来|一起))?[\s吧。.!！]*$/s,
  },
  {
    kind: 'people',
    pattern:
      /^(?<target>)(?:(?:and |also |please |then )*(?:invite|add|include)|and)\s+(?<value>(?!to\b)[A-Z\w][^\n]{0,80}?)(?:\s+(?:too|as well|also))?[\s.!]*$/s,
  },
  {
    kind: 'title',
    pattern:
      /^(?<target>.{0,200}?)的?(?:名字|名称|标题|题目)?(?:重命名|改名|更名|改叫|(?:名字|名称|标题|题目)(?:改|换|修改|更新))(?:为|成|叫|做|到)?(?<value>.{1,200})$/s,
  },
  {
    kind: 'place',
    pattern:
      /^(?<target>.{0,200}?)的?(?:地点|位置|地址|会议室)(?:改|换|调整|变更|移|修改)(?:到|成|为|在|至)?(?<value>.{1,200})$/s,
  },
  {
    kind: 'shift',
    pattern: new RegExp(
      `^(?<target>.{0,200}?)(?<way>往后推|往后延|往前提|推迟|延后|延期|推后|顺延|提前|后移|前移|延迟)(?:了)?(?<value>${ZH_LENGTH})`,
      's',
    ),
  },
  {
    kind: 'stretch',
    pattern: new RegExp(
      `^(?<target>.{0,200}?)(?<way>延长|加长|缩短)(?:了)?(?<value>${ZH_LENGTH})`,
      's',
    ),
  },
  {
    kind: 'people',
    pattern:
      /(?:邀请|叫上?|拉上?|请|让)\s*(?<value>.{1,80}?)\s*(?:也|来|一起)?(?:参加|加入|出席)(?<target>.{0,200})$/s,
  },
  {
    kind: 'people',
    pattern:
      /(?:把|将)\s*(?<value>.{1,80}?)\s*(?:加|拉|添加)(?:到|入|进)(?<target>.{1,200}?)(?:里|中)?$/s,
  },
  {
    kind: 'people',
    pattern:
      /给(?<target>.{1,200}?)(?:加上|添加|增加)(?:参会人|与会人|参加者)?\s*(?<value>.{1,80})$/s,
  },
  {
    kind: 'general',
    pattern:
      /^(?<target>.{0,200}?)(?:的?时间)?(?:改期到|改到|改成|改为|改在|改至|挪到|挪至|挪|移到|移至|调到|调至|调整到|调整为|换到|换成|换在|推迟到|延期到|延后到|推后到|延到|提前到|顺延到|延长到|延长至|缩短到|缩短为|变更为|修改为|更新为|(?<!修)改(?!一下|动))(?<value>.{1,200})$/s,
  },
  {
    kind: 'title',
    pattern: /\b(?:rename|retitle)\s+(?<target>.{1,200}?)\s+(?:to|as|into)\s+(?<value>.{1,200})$/is,
  },
  {
    kind: 'title',
    pattern:
      /\b(?:change|update)\s+the\s+(?:title|name)\s+of\s+(?<target>.{1,200}?)\s+to\s+(?<value>.{1,200})$/is,
  },
  {
    kind: 'place',
    pattern:
      /\b(?:change|update|set|move)\s+the\s+(?:location|place|room|venue)\s+(?:of|for)\s+(?<target>.{1,200}?)\s+to\s+(?<value>.{1,200})$/is,
  },
  {
    kind: 'shift',
    pattern: new RegExp(
      `\\b(?<way>(?:${EN_MOVE})\\s)(?<target>.{1,200}?)\\s+(?:back\\s+)?(?:by\\s+)?(?<value>${EN_LENGTH})\\s*(?:later|back)?[\\s.!]*$`,
      'is',
    ),
  },
  {
    kind: 'shift',
    pattern: new RegExp(
      `\\b(?:${EN_MOVE})\\s+(?<target>.{1,200}?)\\s+(?:by\\s+)?(?:(?:up|forward)\\s+(?:by\\s+)?)?(?<value>${EN_LENGTH})\\s*(?<way>earlier|forward|early)[\\s.!]*$`,
      'is',
    ),
  },
  {
    kind: 'stretch',
    pattern: new RegExp(
      `\\b(?<way>extend|prolong|shorten)\\s+(?<target>.{1,200}?)\\s+by\\s+(?<value>${EN_LENGTH})`,
      'is',
    ),
  },
  {
    kind: 'general',
    pattern: new RegExp(
      `\\b(?:extend|shorten|make)\\s+(?<target>.{1,200}?)\\s+(?:to\\s+)?(?<value>${EN_LENGTH})`,
      'is',
    ),
  },
  {
    kind: 'people',
    pattern: /\b(?:invite|add)\s+(?<value>.{1,80}?)\s+to\s+(?<target>.{1,200})$/is,
  },
  {
    kind: 'general',
    pattern: new RegExp(
      `\\b(?:${EN_MOVE}|extend)\\s+(?<target>.{1,200}?)\\s+(?:to|until|till|for)\\s+(?<value>(?:(?!\\sto\\s(?!\\d)).){1,200})$`,
      'is',
    ),
  },
  {
    kind: 'general',
    pattern: new RegExp(
      `\\b(?:${EN_MOVE})\\s+(?<target>.{1,200}?)\\s+(?:to|until|till|for)\\s+(?<value>.{1,200})$`,
      'is',
    ),
  },
];
