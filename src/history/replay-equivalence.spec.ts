import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { toChatItems } from '../../test/support/chat-items.js';
import { play, runScripts, type TurnScript } from '../../test/support/run-script.js';
import { ChatFold, type AppEvent, type ChatItem } from '../../web/client/src/index.js';
import { encodeEvent } from '../events/encode.js';
import type { LoggedEvent } from '../events/run-event.js';
import type { ThreadMessage } from '../threads/thread-message.js';
import { messagesSnapshot } from './messages-snapshot.js';

const NOTHING = { interrupts: [], pendingCalls: [] };

/** What a client does with a stream: parses each `data:` line and folds it. */
function foldStream(events: LoggedEvent[], fold = new ChatFold()): ChatItem[] {
  for (const event of events) fold.apply(JSON.parse(encodeEvent(event, 'app')) as AppEvent);
  return fold.items;
}

/** What a client does with history: the items as JSON. */
function foldHistory(messages: ThreadMessage[]): ChatItem[] {
  return new ChatFold(JSON.parse(JSON.stringify(toChatItems(messages))) as ChatItem[]).items;
}

describe('replay equivalence', () => {
  it('folds the events of any runs and their history into the same chat items', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(runScripts, { minLength: 1, maxLength: 3 }), async (scripts) => {
        const played = await Promise.all(scripts.map((script, n) => play(script, 't', `run-${n}`)));
        const events = played.flatMap((run) => run.events);
        const messages = played.flatMap((run) => run.messages);
        const history = foldHistory(messages);
        expect(foldStream(events)).toEqual(history);
        // History first and then the stream again: nothing is doubled and nothing moves.
        expect(foldStream(events, new ChatFold(history))).toEqual(history);
        expect(new Set(history.map((item) => item.id)).size).toBe(history.length);
      }),
      { numRuns: 60 },
    );
  });

  it.each(['cancelled', 'error'] as const)(
    'says of a text that it was broken off, %s',
    async (outcome) => {
      const said: TurnScript = {
        pieces: ['whole'],
        calls: [{ input: {}, status: 'success', card: false }],
      };
      const { events, messages } = await play(
        { question: 'q', turns: [said], unfinished: ['half'], outcome },
        't',
        'r',
      );
      const texts = (items: ChatItem[]) =>
        items.flatMap(({ role, content, interrupted }) =>
          role === 'assistant' ? [{ content, interrupted }] : [],
        );
      const expected = [
        { content: 'whole', interrupted: undefined },
        { content: 'half', interrupted: true },
      ];
      expect(texts(foldStream(events))).toEqual(expected);
      expect(texts(foldHistory(messages))).toEqual(expected);
      const ends = events.filter(({ event }) => event.type === 'TEXT_MESSAGE_END');
      const metadata = ends.map(
        (event) =>
          (JSON.parse(encodeEvent(event, 'agui')) as AppEvent & { metadata?: object }).metadata,
      );
      expect(metadata).toEqual([undefined, { interrupted: true }]);
      expect(messagesSnapshot(messages, new Map(), NOTHING, new Date(0))['messages']).toMatchObject(
        [
          { role: 'user' },
          { content: 'whole' },
          { role: 'tool' },
          { content: 'half', metadata: { interrupted: true } },
        ],
      );
    },
  );

  it('leaves out what a chat does not show', async () => {
    const { messages } = await play(
      {
        question: 'q',
        turns: [{ pieces: [], calls: [{ input: {}, status: 'success', card: false }] }],
        unfinished: [],
        outcome: 'success',
      },
      't',
      'r',
    );
    expect(messages.map((message) => message.role)).toEqual(['user', 'assistant', 'tool']);
    const [user, tool, ...rest] = foldHistory(messages);
    expect(rest).toEqual([]);
    expect(user).toEqual({
      id: 'r-q',
      role: 'user',
      content: 'q',
      createdAt: '2026-03-01T08:00:00.123Z',
      runId: 'r',
    });
    expect(tool).toMatchObject({ role: 'tool', toolCallId: 'r-call-0-0', status: 'success' });
    expect(tool).not.toHaveProperty('ui_schema');
  });
});
