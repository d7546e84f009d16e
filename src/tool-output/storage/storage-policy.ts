/** What a deployment has decided about the tiers. */
export interface StoragePolicy {
  /** `TOOL_OUTPUT_STORAGE`: `auto`, `always` or `never`. */
  mode: string;
  /** Bytes of a record up to which `auto` keeps it inline. */
  inlineMaxBytes: number;
}

/**
 * The tier of a record that is about to be written (PROTOCOL §9). What is written already stays in
 * its tier, whatever the policy becomes: every row says where its record lies.
 * @param recordBytes size of the complete record as JSON, in bytes of UTF-8.
 */
export function tierOf(policy: StoragePolicy, recordBytes: number): 'inline' | 'stored' {
  if (policy.mode === 'always') return 'stored';
  if (policy.mode === 'never') return 'inline';
  return recordBytes > policy.inlineMaxBytes ? 'stored' : 'inline';
}
