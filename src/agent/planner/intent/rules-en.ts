import type { IntentRule } from './intent-kind.js';

const CHANGE =
  'remember|cancel|delete|remove|move|reschedule|postpone|change|rename|share|accept|decline|reject|create|add|book|schedule';

/** Signs in English messages; patterns are matched case-insensitively. */
export const EN_RULES: readonly IntentRule[] = [
  {
    kind: 'declined',
    score: 9,
    pattern: new RegExp(`\\b(?:don'?t|do not|never|please don'?t)\\s+(?:${CHANGE})\\b`, 'i'),
  },
  {
    kind: 'dismiss',
    score: 8,
    pattern: /^(?:never\s?mind|forget it|no thanks?|stop|nothing)[\s\p{P}]*$/iu,
  },
  {
    kind: 'help',
    score: 8,
    pattern:
      /^(?:help|help me|\/help)[\s\p{P}]*$|what (?:else )?can you do|what do you do|how do you work|what are you able|who are you|your (?:features|capabilities)/iu,
  },
  {
    kind: 'help',
    score: 9,
    pattern: new RegExp(
      `\\bhow (?:do|can|could|should|would|to)\\b.{0,20}\\b(?:${CHANGE}|use)\\b`,
      'i',
    ),
  },
  {
    kind: 'greet',
    score: 8,
    pattern:
      /^(?:hi|hello|hey|hiya|good (?:morning|afternoon|evening|day)|greetings)(?: there| steward)?[\s\p{P}]*$/iu,
  },
  {
    kind: 'thank',
    score: 8,
    pattern:
      /^(?:ok(?:ay)?|great|perfect)?[\s\p{P}]*(?:thanks|thank you|thx|cheers|ty)(?: (?:a lot|so much|very much))?[\s\p{P}]*$/iu,
  },
  {
    kind: 'bye',
    score: 8,
    pattern:
      /^(?:good)?bye(?:[ -]bye)?[\s\p{P}]*$|^(?:see you|see ya|good night|ciao)(?: (?:later|tomorrow|soon))?[\s\p{P}]*$/iu,
  },
  {
    kind: 'look_up',
    score: 9,
    pattern:
      /^(?:did|was|were|is|has|have|who|why|should)\b.{0,80}\b(?:cancel|delet|mov|postpon|reschedul|accept|declin)/i,
  },

  {
    kind: 'unknown',
    score: 6,
    pattern:
      /\b(?:weather|forecast|temperature|joke|stock price|translate|poem|recipe|lyrics|exchange rate)\b|^what time is it[\s\p{P}]*$|^what(?:'s| is) the time[\s\p{P}]*$/iu,
  },
  {
    kind: 'unknown',
    score: 20,
    pattern:
      /\bselect\b.{1,80}\bfrom\b|\bdrop\s+(?:table|database)\b|\binsert\s+into\b|\bdelete\s+from\s+\w+\s*(?:;|\bwhere\b)|=>|[{}]|<\/?\w{1,20}>|\bconsole\.|\bdef\s+\w+\(|\bfunction\s*\w*\(|\brm -rf\b/i,
  },
  {
    kind: 'free_busy',
    score: 12,
    pattern:
      /free.?busy|\b(?:everyone|everybody|we all|they|he|she|we)\b.{0,20}\b(?:free|available)\b|\bfind (?:a |an |some )?(?:[\w -]{1,20} )?(?:time|slot)\b|\bwhen (?:is|are) (?!my|the|i\b).{1,40}\b(?:free|available)\b|\bis (?!my|the|there).{1,40}\b(?:free|available)\b/i,
  },
  {
    kind: 'contacts',
    score: 8.6,
    pattern:
      /\bcontacts?\b|'s (?:phone|mobile|e-?mail|number)\b|^(?:what|when)\b.{1,40}'s birthday\b|\bphone number|\baddress book\b|\bemail address\b|what(?:'s| is) .{1,40}(?:'s)? (?:e-?mail|phone)\b/i,
  },
  {
    kind: 'contacts',
    score: 8.6,
    pattern:
      /^who(?:'s| is) (?!free\b|available\b|busy\b|coming\b|invited\b|going\b|attending\b|in\b|at\b|on\b|my\b|the\b|this\b|that\b|it\b|there\b)[\p{L}][\p{L} .'’-]{0,40}[?.!\s]*$/iu,
  },
  {
    kind: 'memory',
    score: 8.6,
    pattern:
      /\bremember\b|^(?:please )?forget (?!it\b|about it\b|that[.!]?$)|\bdo you know about me\b|\bmy \w+ preferences?\b|\bmemor(?:y|ies|ize)\b|\bmy preferences?\b/i,
  },

  {
    kind: 'memory',
    score: 8.8,
    pattern:
      /\b(?:add|put|remove|delete|take|drop|cross)\b.{1,80}\b(?:to|on|in|onto|from|off)\s+(?:my|the)\s+(?:[a-z'-]+ ){0,2}(?:allerg(?:y|ies|ens?)|shopping list|grocer(?:y|ies)|hobb(?:y|ies)|interests|dislikes|likes|favou?rites)\b/i,
  },
  {
    kind: 'contacts',
    score: 8.8,
    pattern:
      /^(?:please |can you |could you )?merge\b(?! (?:meeting|review|request|call|sync))|\bduplicates?\b.{0,20}\b(?:contacts?|people)\b|\bcontacts?\b.{0,20}\bduplicates?\b/i,
  },
  {
    kind: 'update',
    score: 9,
    pattern:
      /^(?:and |also |please |then )*remind me (?:\d{1,3}|an?|half an?) ?(?:minutes?|mins?|hours?) (?:before|earlier|ahead)\b/i,
  },

  {
    kind: 'list_invitations',
    score: 6,
    pattern:
      /\b(?:any|what|which|show|list|pending|open|have|my|see|check|new|all)\b.{0,40}\b(?:invites|invitations?)\b|^(?:invites|invitations)\b/i,
  },
  { kind: 'accept_invite', score: 7, pattern: /\baccept\b|\bsay yes to\b|\brsvp yes\b/i },
  {
    kind: 'reject_invite',
    score: 7.5,
    pattern: /\b(?:decline|reject|turn down|refuse|don'?t accept|rsvp no)\b/i,
  },
  {
    kind: 'reject_invite',
    score: 7.5,
    pattern:
      /^(?:please |i want to |i'd like to )?(?:leave|drop out of|withdraw from|opt out of) (?!early|for\b|at\b|a\b|the office|home|work)/i,
  },
  { kind: 'share', score: 6, pattern: /\bshare\b/i },
  {
    kind: 'delete',
    score: 5,
    pattern: /\b(?:cancel|delete|remove|drop|call off|get rid of|scrap)\b/i,
  },
  {
    kind: 'update',
    score: 5.5,
    pattern:
      /\b(?:move|reschedule|postpone|push(?: back)?|shift|rename|retitle|extend|prolong|shorten|change|update|delay|bring forward)\b/i,
  },
  {
    kind: 'update',
    score: 7,
    pattern:
      /^(?:(?:and |also |please |then )+invite|invite|(?:and |also )+(?:add|include)|and) (?!then\b|the\b|a\b|what\b|how\b|when\b|where\b|is\b|on\b|at\b|to\b|for\b|cancel\b|move\b|tomorrow\b|me\b|schedule\b|create\b|book\b|delete\b|remove\b|share\b)[\w.@+-]{2,60}(?:(?:,? and |, ?| )[\w.@+-]{2,60}){0,3}(?: too| as well)?[.!]?$/i,
  },
  {
    kind: 'update',
    score: 8,
    pattern:
      /\binvite\b.{1,80}\bto (?:the|my|our|it|that|this)\b|\badd (?!a\b|an\b|the\b).{1,60}\bto (?:the|my|our|it|that|this)\b(?! (?:calendar|schedule|agenda))|\bmake (?:it|the|my|our)\b.{0,60}\b(?:hours?|minutes?|mins?|longer|shorter)\b/i,
  },

  {
    kind: 'availability',
    score: 10,
    pattern:
      /\b(?:am|are|will) (?:i|we) (?:be )?(?:free|available|busy)\b|\bwhen (?:am|are|will) (?:i|we) (?:be )?(?:free|available)\b|\bdo i have (?:any )?(?:free )?time\b|\bmy (?:free time|availability)\b|\bany free time\b/i,
  },
  {
    kind: 'look_up',
    score: 4,
    pattern: /\bwhat(?:'s|s| is| are| do| have)\b|\bwhats\b|\bwhich\b|\bhow many\b/i,
  },
  {
    kind: 'look_up',
    score: 4.5,
    pattern:
      /^(?:please |can you |could you )?(?:show|list|view|display|look up|check|find|see|tell|read|give)\b/i,
  },
  {
    kind: 'look_up',
    score: 4.5,
    pattern: /\bwhen(?:'s| is| are| do| does| was)\b|\bwhere(?:'s| is| are)\b/i,
  },
  {
    kind: 'look_up',
    score: 4.5,
    pattern: /\bdo i have\b|\bhave i got\b|\b(?:is|are) there\b|\bam i\b|\banything\b/i,
  },
  {
    kind: 'look_up',
    score: 2,
    pattern:
      /\bmy (?:calendar|schedule|agenda|day|week|month|events?|meetings?|appointments?)\b|^(?:agenda|calendar|schedule|events?|meetings)\b/i,
  },
  { kind: 'look_up', score: 1, pattern: /\?\s*$/ },

  {
    kind: 'create',
    score: 4,
    pattern:
      /^(?:please |can you |could you |i'?d like to |i want to |i need to |hey |ok |and )?(?:schedule|create|add|book|set ?up|plan|arrange|organi[sz]e|put|make|reserve|block|pencil in|enter)\b/i,
  },
  {
    kind: 'create',
    score: 3,
    pattern:
      /\b(?:schedule|book|set up|arrange) (?:a|an|the|another|my)\b|\bnew (?:meeting|event|appointment|call)\b|\bremind me\b|\blet'?s\b|\bi have (?:a|an)\b/i,
  },
  {
    kind: 'create',
    score: 2,
    pattern:
      /\b(?:lunch|dinner|breakfast|coffee|meeting|call|vacation|holiday|pto|dentist|doctor|interview|appointment|birthday|standup|1:1|sync|review|day off)\b/i,
  },
];
