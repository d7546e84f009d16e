import { describe, expect, it } from '@jest/globals';
import { play } from '../../test/support/run-script.js';
import { messagesSnapshot } from './messages-snapshot.js';

describe('the snapshot of a thread', () => {
  const idsOf = (event: Record<string, unknown>): string[] =>
    (event['messages'] as { id: string }[]).map(({ id }) => id);

  it('begins with a user, or with the assistant where a long run leaves no room for one', async () => {
    const { messages } = await play(
      {
        question: 'q',
        turns: [
          { pieces: ['one'], calls: [{ input: {}, status: 'success', card: false }] },
          { pieces: ['two'], calls: [] },
        ],
        unfinished: [],
        outcome: 'success',
      },
      't',
      'r',
    );
    const ids = messages.map(({ id }) => id);
    const from = (place: number) =>
      idsOf(
        messagesSnapshot(
          messages.slice(place),
          new Map(),
          { interrupts: [], pendingCalls: [] },
          new Date(0),
        ),
      );
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant']);
    expect(from(0)).toEqual(ids);
    expect(from(1)).toEqual(ids.slice(1));
    // A result without its call is none.
    expect(from(2)).toEqual(ids.slice(3));
    expect(from(4)).toEqual([]);
  });
});
