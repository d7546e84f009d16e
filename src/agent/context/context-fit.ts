/** A tool result inside a group; its short form is what an old or large one is shown as. */
export interface SizedResult {
  /** Tokens that the full form takes on top of the short one; 0 where there is no shorter one. */
  extra: number;
}

/**
 * Messages that are shown or left out together: one of the user, or one of the assistant with the
 * results of all its calls.
 */
export interface SizedGroup {
  role: 'user' | 'assistant';
  /** Tokens of the whole group with its results in their short form. */
  tokens: number;
  /** In the order of the calls. */
  results: readonly SizedResult[];
}

/** What of a conversation is shown. */
export interface Fit {
  /** Places of the shown groups, oldest first. */
  shown: number[];
  /** Results of shown groups that stand in their short form: `[place of the group, of the result]`. */
  shortened: [group: number, result: number][];
  tokens: number;
}

/**
 * Chooses what of a conversation fits into a budget (issue 4). The newest user message always stands;
 * beside it as many of the newest groups as fit, in their order, and of their results as many of the
 * newest as fit in full. A larger budget never shows less, and what is shown begins with a user.
 *
 * The rest of the budget is divided between the two wishes: groups get what full results do not need,
 * full results what groups do not need, and each at least half. So neither can push out the other,
 * and both only grow with the budget.
 *
 * @param groups oldest first.
 * @returns null when the newest user message alone is over the budget. Without any user message
 *   nothing is shown.
 */
export function fitContext(groups: readonly SizedGroup[], budget: number): Fit | null {
  const pinned = groups.findLastIndex((group) => group.role === 'user');
  const pin = groups[pinned];
  if (!pin) return { shown: [], shortened: [], tokens: 0 };
  const room = budget - pin.tokens;
  if (room < 0) return null;

  const newestFirst = [...groups.keys()].filter((place) => place !== pinned).toReversed();
  const tokensOf = (place: number): number => groups[place]?.tokens ?? 0;
  const results = newestFirst.flatMap((place) =>
    (groups[place]?.results ?? [])
      .map(({ extra }, index) => ({ place, index, extra }))
      .toReversed(),
  );
  const groupsNeed = sum(newestFirst.map(tokensOf));
  const fullNeed = sum(results.map(({ extra }) => extra));

  const kept = takeWhileFits(newestFirst, tokensOf, Math.max(room / 2, room - fullNeed));
  const full = takeWhileFits(results, ({ extra }) => extra, Math.max(room / 2, room - groupsNeed));
  const shown = fromFirstUser(
    [...kept, pinned].toSorted((a, b) => a - b),
    groups,
  );
  const visible = new Set(shown);
  const shortened = results
    .slice(full.length)
    .filter(({ place, extra }) => visible.has(place) && extra > 0)
    .map(({ place, index }): [number, number] => [place, index])
    .toReversed();
  const inFull = full.filter(({ place }) => visible.has(place)).map(({ extra }) => extra);
  return { shown, shortened, tokens: sum(shown.map(tokensOf)) + sum(inFull) };
}

/** Several endpoints refuse a conversation that does not begin with its user. */
function fromFirstUser(places: number[], groups: readonly SizedGroup[]): number[] {
  return places.slice(places.findIndex((place) => groups[place]?.role === 'user'));
}

function takeWhileFits<T>(items: readonly T[], size: (item: T) => number, room: number): T[] {
  let used = 0;
  const end = items.findIndex((item) => (used += size(item)) > room);
  return items.slice(0, end === -1 ? items.length : end);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
