/** The headers of a conditional request (RFC 9110 §13.1). */
interface Conditions {
  'if-none-match'?: string | undefined;
  'if-modified-since'?: string | undefined;
}

/**
 * Whether the reader has the representation already. An entity tag decides alone where there is one;
 * `Cache-Control: no-cache` in the request asks caches, not this server, which has just looked.
 */
export function notModified(conditions: Conditions, etag: string, changedAt: Date): boolean {
  const tags = conditions['if-none-match'];
  if (tags !== undefined) {
    return tags
      .split(',')
      .map((tag) => tag.trim().replace(/^W\//, ''))
      .some((tag) => tag === etag || tag === '*');
  }
  const since = Date.parse(conditions['if-modified-since'] ?? '');
  // The header has whole seconds.
  return Math.floor(changedAt.getTime() / 1000) * 1000 <= since;
}
