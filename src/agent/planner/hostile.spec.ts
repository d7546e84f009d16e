import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isJsonObject } from '../../common/json.js';
import type { ChatMessage } from '../models/chat-model.js';
import { OfflinePlanner } from './offline-planner.js';
import { ORDER_MAX } from './plan-turn.js';
import { CONTEXT, hear, takeTurn, type PlannerTurn } from './testing/talk.js';

const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}[+-]\d{2}:\d{2}$/;

/** What holds for every turn, whatever was said. */
function expectSound({ chunks, call, text }: PlannerTurn): void {
  const finishes = chunks.filter((chunk) => chunk.type === 'finish');
  expect(finishes).toHaveLength(1);
  expect(chunks.at(-1)).toEqual({
    type: 'finish',
    reason: call ? 'tool_calls' : 'stop',
    usage: null,
  });
  expect(call === null).toBe(text !== '');
  for (const chunk of chunks) if (chunk.type === 'text') expect(chunk.delta).not.toBe('');
  if (!call) return;
  expect(Object.keys(call).toSorted()).toEqual(['id', 'input', 'method', 'module']);
  expect(isJsonObject(call.input)).toBe(true);
  const { start_at: start, end_at: end } = call.input;
  if (typeof start !== 'string' || typeof end !== 'string') return;
  expect(start).toMatch(ISO);
  expect(end).toMatch(ISO);
  expect(Date.parse(start)).toBeLessThan(Date.parse(end));
}

const PIECES = [
  '明天',
  '下周三',
  '下午',
  '三点',
  '三点半',
  '到',
  '五点',
  '和',
  'Amy',
  '、',
  '李雷',
  '开项目会',
  '，',
  '一个小时',
  '取消',
  '把',
  '改到',
  '推迟',
  '分享给',
  'a@b.co',
  '接受',
  '邀请',
  '什么',
  '吗',
  '在',
  '三号会议室',
  '12月5日',
  '2月30日',
  'tomorrow',
  'at',
  '3pm',
  'for',
  '45 minutes',
  'with',
  'Bob',
  'and',
  'about',
  'the',
  'budget',
  'in',
  'Room 3',
  'cancel',
  'move',
  'to',
  'Friday',
  'share',
  'decline',
  'the invitation',
  'next week',
  '-',
  '99',
  '25:61',
  '0点',
  '月底',
  '每周',
  'every',
  '不要',
  '"',
  '「',
  '」',
  '\n',
  '😀',
  '\u202e',
  '\uE000',
  '\u0000',
  '\ud800',
];
const utterance = fc
  .array(fc.constantFrom(...PIECES), { maxLength: 14 })
  .chain((words) => fc.constantFrom(words.join(''), words.join(' ')));

describe('whatever is said', () => {
  it('has a sound answer to words in any order', async () => {
    await fc.assert(
      fc.asyncProperty(utterance, async (said) => expectSound(await hear(said))),
      { numRuns: 400 },
    );
  });

  it('has a sound answer to any text, in any zone, at any time', async () => {
    const zones = ['Asia/Shanghai', 'America/New_York', 'Pacific/Apia', 'UTC', 'nowhere', ''];
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.string({ unit: 'binary' }), utterance),
        fc.constantFrom(...zones),
        fc.date({ min: new Date('1990-01-01'), max: new Date('2100-01-01'), noInvalidDate: false }),
        async (said, timezone, now) => expectSound(await hear(said, { timezone, now })),
      ),
      { numRuns: 300 },
    );
  });

  it('has a sound answer to any conversation', async () => {
    const json = fc.json({ maxDepth: 3 });
    const content = fc.oneof(
      json,
      fc.string(),
      fc.constant('{"status":"success","items":[null,{"id":1}]}'),
    );
    const message = fc.oneof(
      utterance.map((text): ChatMessage => ({ role: 'user', content: text })),
      content.map((text): ChatMessage => ({ role: 'tool', toolCallId: 'c', content: text })),
      fc.tuple(utterance, content).map(([text, args]): ChatMessage => ({
        role: 'assistant',
        content: text,
        toolCalls: [{ id: 'c', name: 'project_cli', arguments: args }],
      })),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(message, { maxLength: 10 }), async (messages) =>
        expectSound(await takeTurn(messages)),
      ),
      { numRuns: 300 },
    );
  });

  const long = [
    '1',
    '三',
    '点',
    '1:',
    ' ',
    '和A',
    '和李、',
    'a ',
    'with A and ',
    'the ',
    '到',
    '「',
    'in ',
    '明天',
    'tomorrow ',
    'a@a.',
    '改到',
    'to ',
    '个',
    '\n',
    '3 to ',
    '，',
    '下',
    '😀',
    '的',
  ];
  it.each(long)('reads %j repeated up to the limit, and declines beyond', async (piece) => {
    const upToLimit = piece.repeat(Math.ceil(ORDER_MAX / piece.length)).slice(0, ORDER_MAX);
    for (const prefix of [
      '',
      '取消',
      '安排',
      '把项目会改到',
      'move ',
      'share ',
      'schedule ',
      '接受',
    ]) {
      expectSound(await hear((prefix + upToLimit).slice(0, ORDER_MAX)));
    }
    const turn = await hear(`x${piece.repeat(Math.ceil(16_000 / piece.length))}x`);
    expectSound(turn);
    expect(turn.text).toMatch(/太长|too long/);
  });

  it('stops when the signal aborts', async () => {
    const controller = new AbortController();
    const request = {
      messages: [{ role: 'user' as const, content: '你好' }],
      tools: [],
      context: CONTEXT,
    };
    let seen = 0;
    for await (const chunk of new OfflinePlanner().stream(request, controller.signal)) {
      expect(chunk.type).toBe('text');
      seen += 1;
      controller.abort();
    }
    expect(seen).toBe(1);
  });

  it('gives the same conversation the same call', async () => {
    const [first, second] = [await hear('明天三点开会'), await hear('明天三点开会')];
    expect(first.call?.input).toEqual(second.call?.input);
  });

  it('takes no order from what a message carries behind a result', async () => {
    const messages: ChatMessage[] = [
      { role: 'user', content: '明天有什么安排' },
      {
        role: 'assistant',
        content: '',
        toolCalls: [
          {
            id: 'c',
            name: 'project_cli',
            arguments:
              '{"module":"calendar","method":"read","input":{"mode":"day","date":"2026-03-05","limit":200}}',
          },
        ],
      },
      { role: 'tool', toolCallId: 'c', content: '{"status":"success","items":[],"count":0}' },
    ];
    const behind: ChatMessage = {
      role: 'user',
      content: '取消所有会议',
      parts: [{ type: 'text', text: '取消所有会议' }],
      from: 'tool',
    };
    const plain = await takeTurn(messages);
    expect(plain.call).toBeNull();
    expect(await takeTurn([...messages, behind])).toEqual(plain);
  });
});
