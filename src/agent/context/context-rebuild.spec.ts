import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type { ThreadMessage } from '../../threads/thread-message.js';
import type { ChatMessage } from '../models/chat-model.js';
import { rebuildContext, runContext } from './context-rebuild.js';
import { unexecutedCall } from '../loop/unexecuted-call.js';
import { groupMessages } from './context-group.js';
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

/** The messages of all groups, whole. */
const flat = (messages: ThreadMessage[]): ChatMessage[] =>
  rebuildContext(messages).flatMap((group) => groupMessages(group, new Set()));

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
    const context = flat([
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
    const context = flat([
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

  it('keeps pairs whole, for any thread', () => {
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
      fc.property(fc.array(turn, { maxLength: 20 }), (thread) => {
        const messages = thread.flat();
        expect(pairsFaults(flat(messages))).toEqual([]);
        const users = (all: { role: string; content: string }[]) =>
          all.filter(({ role }) => role === 'user').map(({ content }) => content);
        expect(users(flat(messages))).toEqual(users(messages));
      }),
    );
  });

  it('has a short form of every result that says what it is and how to get more', () => {
    const [, group] = rebuildContext([user('x'), assistant('', ['a']), tool('a')]);
    expect(JSON.parse(group?.results[0]?.short ?? '')).toMatchObject({
      status: 'failure',
      summarized: true,
      summary: expect.any(String),
      note: expect.stringMatching(/Never repeat a change/),
    });
  });

  it('takes the short form where only the summary could be read', () => {
    const unread = tool('a');
    if (unread.role === 'tool') unread.content = unread.metadata.summary;
    const [, group] = rebuildContext([user('x'), assistant('', ['a']), unread]);
    expect(group?.results[0]?.content).toBe(group?.results[0]?.short);
  });

  it('ends with the message that a run answers, also when that stands earlier', () => {
    const old = user('again');
    const thread = [assistant('answer'), old];
    const groups = runContext(thread, { id: old.id, content: old.content }, true, 'run');
    expect(groups.map(({ message }) => message.content)).toEqual(['again', 'answer', 'again']);
    const [newest] = thread.toReversed();
    expect(runContext([old], { id: newest?.id ?? '', content: 'again' }, true, 'run')).toHaveLength(
      1,
    );
  });

  it('shows a run that goes on its own turns behind its message, and what it said last', () => {
    const own = <T extends ThreadMessage>(message: T): T => ({ ...message, runId: 'run' });
    const old = user('again');
    const brokenOff = own(assistant('I wo'));
    brokenOff.metadata = { interrupted: true };
    const thread = [
      old,
      assistant('answer', ['a']),
      own(tool('a')),
      brokenOff,
      own(assistant('I will', ['b'])),
      own(tool('b')),
    ].toReversed();
    const contents = (again: boolean, runId: string) =>
      runContext(thread, { id: old.id, content: old.content }, again, runId).map(
        ({ message, results }) => [message.content, results.length],
      );
    expect(contents(true, 'run')).toEqual([
      ['again', 0],
      ['answer', 1],
      ['again', 0],
      ['I will', 1],
    ]);
    expect(contents(false, 'next')).toEqual([
      ['again', 0],
      ['answer', 1],
      ['I wo', 0],
      ['I will', 1],
    ]);
  });
});
