import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

/**
 * UTF-16 units that are counted as one. The tokenizer takes quadratic time for a long run of one
 * kind of letter; a cut costs at most a few tokens too many.
 */
const PIECE = 512;
/** Units after which others get their turn. */
const BREATH = 64 * 1024;
/** Texts whose count is kept, and merges that the tokenizer keeps. */
const CACHE_ENTRIES = 20_000;
const MERGE_CACHE_ENTRIES = 10_000;

/**
 * Counts tokens with the encoding o200k_base: exact for some models, near enough for the others. Its
 * tables are loaded when first needed, and each text is counted once.
 */
@Injectable()
export class TokenCounter {
  private encoding: Promise<typeof countTokens> | null = null;
  private readonly counts = new LRUCache<string, Promise<number>>({ max: CACHE_ENTRIES });

  /** Tokens of a text, words that models use as marks (`<|endoftext|>`) counted as text. */
  count(text: string): Promise<number> {
    const key = createHash('sha256').update(text, 'utf8').digest('base64url');
    const known = this.counts.get(key);
    if (known) return known;
    const counting = this.countAnew(text);
    counting.catch(() => this.counts.delete(key));
    this.counts.set(key, counting);
    return counting;
  }

  private async countAnew(text: string): Promise<number> {
    this.encoding ??= loadEncoding();
    const count = await this.encoding;
    let tokens = 0;
    let breath = BREATH;
    for (let at = 0; at < text.length;) {
      const end = cutNear(text, at + PIECE);
      tokens += count(text.slice(at, end), { disallowedSpecial: new Set() });
      at = end;
      if (at < breath) continue;
      breath += BREATH;
      await setImmediate();
    }
    return tokens;
  }
}

/** No text has more tokens than bytes: the encoding works on bytes. */
export function mostTokens(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}

async function loadEncoding(): Promise<typeof countTokens> {
  const encoding = await import('gpt-tokenizer/encoding/o200k_base');
  encoding.setMergeCacheSize(MERGE_CACHE_ENTRIES);
  return encoding.countTokens;
}

/** `end`, or one less where that would part a surrogate pair. */
function cutNear(text: string, end: number): number {
  const last = text.charCodeAt(end - 1);
  return end < text.length && last >= 0xd800 && last <= 0xdbff ? end - 1 : end;
}
