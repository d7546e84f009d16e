import type { ToolMessageMetadata } from '../../threads/thread-message.js';

/** What a short result is made of; records and stored messages both have it. */
export type ShortFacts = Pick<ToolMessageMetadata, 'module' | 'method' | 'status' | 'summary'>;

/**
 * What stands for a tool result that does not fit into a model's context: its summary, that it is
 * one, and how the facts are got again. A change is never to be repeated for that.
 */
export function shortResult({ module, method, status, summary }: ShortFacts): string {
  return JSON.stringify({
    status,
    summarized: true,
    summary,
    note:
      `Only a summary of the result of ${module}.${method} is shown, to save room. Where its facts ` +
      'are needed, read them with a call that only reads, as narrow as possible (a filter, a ' +
      'smaller limit, one item by its id). Never repeat a change.',
  });
}
