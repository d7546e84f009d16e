/** Bounds of the memory; lengths are characters (UTF-16 units). */
export const TEXT_MAX = 1000;
export const KEY_MAX = 64;
export const QUERY_MAX = 200;
/** Operations of one memory.update. */
export const BATCH_MAX = 50;
/** Facts under one key. */
export const LIST_MAX = 100;
/** Facts of one user. */
export const FACTS_MAX = 50_000;
/** Earlier values that are kept of one key; the oldest fall away. */
export const HISTORY_MAX = 50;
/** The same for all facts without a key together. */
export const KEYLESS_HISTORY_MAX = 1000;
/** Facts that one memory.forget by key or query may erase. */
export const FORGET_MAX = LIST_MAX;
export const PAGE_DEFAULT = 20;
export const PAGE_MAX = 100;
/** Best matches that a search ranks; what is less like the query is not looked at. */
export const CANDIDATES_MAX = 400;
/** Facts among which those for a run's briefing are chosen, and as many standing ones. */
export const RECALL_MAX = 100;
