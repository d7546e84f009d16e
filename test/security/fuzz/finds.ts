/** Ids of things; that of a request leads nowhere. */
const ID = /\b(?!req_)[a-z]{2,6}_[0-9A-HJKMNP-TV-Z]{26}\b/g;
const CURSOR = /"nextCursor":\s*"([^"]+)"/g;
/** Newer finds take the place of older ones. */
const MOST = 300;

/**
 * Ids and cursors that answers have shown. What is generated says `@id:7` or `@cursor:7`, so that it
 * can be shrunk and repeated; here it becomes one of those, which gets it past "not found".
 */
export class Finds {
  private readonly ids = new Set<string>();
  private readonly cursors = new Set<string>();

  learn(answer: string): void {
    for (const [id] of answer.matchAll(ID)) this.ids.add(id);
    for (const [, cursor = ''] of answer.matchAll(CURSOR)) this.cursors.add(cursor);
    for (const found of [this.ids, this.cursors]) {
      for (const old of found) {
        if (found.size <= MOST) break;
        found.delete(old);
      }
    }
  }

  /** The text with every `@id:n` and `@cursor:n` replaced. */
  fill(text: string): string {
    return text
      .replaceAll(/@id:(\d+)/g, (_all, n: string) => pick(this.ids, Number(n)) ?? 'evt_none')
      .replaceAll(/@cursor:(\d+)/g, (_all, n: string) => pick(this.cursors, Number(n)) ?? 'none');
  }
}

function pick(found: Set<string>, n: number): string | undefined {
  return [...found][n % Math.max(1, found.size)];
}
