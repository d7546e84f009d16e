import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type { ThreadMessage } from '../../threads/thread-message.js';
import type { ChatMessage } from '../models/chat-model.js';
import { rebuildContext } from './context-rebuild.js';
import { unexecutedCall } from './unexecuted-call.js';
import { toToolMessage } from '../../tool-output/tool-message.js';

let seq = 0;
const base = () => {
  seq += 1;
  return { id: `m${seq}`, threadId: 't', runId: 'r', seq, createdAt: new Date(0) };
};
const user = (content: string): ThreadMessage => ({
  ...base(),
  role: 'user',
  content,
  metadata: {},
});
const assistant = (content: string, callIds: string[] = []): ThreadMessage => ({
  ...base(),
  role: 'assistant',
  content,
  metadata: {
    tool_calls: callIds.map((id) => ({ id, name: 'project_cli', arguments: `{"id":"${id}"}` })),
  },
});
const tool = (callId: string): ThreadMessage => {
  const call = { id: callId, name: 'project_cli', arguments: '{}' };
  const refusal = { code: 'NOT_FOUND' as const, message: callId, retryable: false };
  const record = unexecutedCall(call, refusal, new Date(0), 'en');
  return { ...base(), role: 'tool', ...toToolMessage(record, 'r', { state: 'inline' }) };
};

/** Every call is followed by exactly its results, in order. */
function pairsFaults(context: ChatMessage[]): string[] {
  const faults: string[] = [];
  let waiting: string[] = [];
  for (const message of context) {
    if (message.role === 'tool') {
      if (waiting.shift() !== message.toolCallId) faults.push(`stray ${message.toolCallId}`);
    } else {
      if (waiting.length > 0) faults.push(`no result: ${waiting.join()}`);
      waiting = message.role === 'assistant' ? message.toolCalls.map((call) => call.id) : [];
    }
  }
  return waiting.length > 0 ? [...faults, `no result: ${waiting.join()}`] : faults;
}

describe('rebuildContext', () => {
  it('gives a second message the first one’s calls and results', () => {
    const context = rebuildContext([
      user('first'),
      assistant('', ['a', 'b']),
      tool('a'),
      tool('b'),
      assistant('done'),
      user('second'),
    ]);
    expect(context.map((message) => message.role)).toEqual([
      'user',
      'assistant',
      'tool',
      'tool',
      'assistant',
      'user',
    ]);
    expect(context[2]).toMatchObject({ toolCallId: 'a' });
    expect(JSON.stringify(context[2])).toContain('NOT_FOUND');
  });

  it('drops calls without a result, results without a call, and what says nothing', () => {
    const context = rebuildContext([
      user('x'),
      tool('stray'),
      assistant('', ['lost']),
      assistant('', []),
      assistant('half', ['lost2', 'kept']),
      tool('kept'),
      tool('kept'),
    ]);
    expect(context).toEqual([
      { role: 'user', content: 'x' },
      {
        role: 'assistant',
        content: 'half',
        toolCalls: [{ id: 'kept', name: 'project_cli', arguments: '{"id":"kept"}' }],
      },
      expect.objectContaining({ role: 'tool', toolCallId: 'kept' }),
    ]);
  });

  it('keeps pairs whole and stays within its bounds, for any thread', () => {
    const turn = fc.oneof(
      fc.string({ maxLength: 20 }).map((content) => [user(content)]),
      fc
        .record({ text: fc.string({ maxLength: 20 }), calls: fc.nat(3), lost: fc.boolean() })
        .map(({ text, calls, lost }) => {
          const ids = Array.from({ length: calls }, (_, n) => `c${seq}_${n}`);
          return [assistant(text, ids), ...ids.slice(lost ? 1 : 0).map(tool)];
        }),
    );
    fc.assert(
      fc.property(
        fc.array(turn, { maxLength: 20 }),
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 1, max: 2000 }),
        (thread, maxMessages, maxCharacters) => {
          const messages = thread.flat();
          const context = rebuildContext(messages, { maxMessages, maxCharacters });
          expect(pairsFaults(context)).toEqual([]);
          const newest = messages.at(-1);
          if (newest?.role === 'user') expect(context.at(-1)?.content).toBe(newest.content);
          // A single group may be larger than the bounds: it is the newest one.
          expect(context.length).toBeLessThanOrEqual(Math.max(maxMessages, 4));
        },
      ),
    );
  });

  it('begins with a user message where there is one', () => {
    const context = rebuildContext([assistant('old'), user('a'), assistant('b'), user('c')], {
      maxMessages: 4,
      maxCharacters: 1000,
    });
    expect(context[0]).toEqual({ role: 'user', content: 'a' });
  });
});
