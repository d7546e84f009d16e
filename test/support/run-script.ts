import * as fc from 'fast-check';
import { Clock } from '../../src/common/clock.js';
import type { JsonObject } from '../../src/common/json.js';
import { RunEventWriter, type WriterPorts } from '../../src/agent/loop/run-event-writer.js';
import type { LoggedEvent, NewRunEvent, RunNotice } from '../../src/events/run-event.js';
import type { NewThreadMessage, ThreadMessage } from '../../src/threads/thread-message.js';
import type { ToolAgentOutput } from '../../src/tool-output/tool-agent-output.js';
import { inlineOutputs } from './inline-outputs.js';

/** One call of a turn and how it went. */
export interface CallScript {
  input: JsonObject;
  status: 'success' | 'partial' | 'failure';
  card: boolean;
  /** Characters that the result is made larger by. */
  padding?: number;
}

export interface TurnScript {
  /** What the model is late with: told before anything of the turn. */
  notices?: RunNotice[];
  /** What the model thinks before it speaks, and after it has begun to. */
  thoughts?: string[];
  afterthoughts?: string[];
  pieces: string[];
  calls: CallScript[];
}

/** What a run does, for tests: the writer of the product turns it into events and messages. */
export interface RunScript {
  question: string;
  turns: TurnScript[];
  /** Reasoning that is still open when text begins or the run ends. */
  unfinishedThoughts?: string[];
  /** Text that is still open when the run ends. */
  unfinished: string[];
  outcome: 'success' | 'cancelled' | 'error';
}

export interface PlayedRun {
  events: LoggedEvent[];
  messages: ThreadMessage[];
}

const AT = new Date('2026-03-01T08:00:00.123Z');

class FixedClock extends Clock {
  override now(): Date {
    return AT;
  }
}

/** Plays a script through the run writer into memory. */
export async function play(script: RunScript, threadId: string, runId: string): Promise<PlayedRun> {
  const events: LoggedEvent[] = [];
  const messages: ThreadMessage[] = [];
  const append = async (
    thread: string,
    run: string,
    added: NewRunEvent[],
    within?: () => Promise<void>,
  ): Promise<LoggedEvent[]> => {
    await within?.();
    const first = events.length + 1;
    const logged = added.map((event, index) => ({
      threadId: thread,
      runId: run,
      id: first + index,
      event: { timestamp: AT.getTime(), ...event },
    }));
    events.push(...logged);
    return logged;
  };
  const appendAll = async (rows: NewThreadMessage[]): Promise<ThreadMessage[]> => {
    const stored = rows.map((row, index) => ({ ...row, seq: messages.length + index + 1 }));
    messages.push(...stored);
    return stored;
  };
  const ports = {
    log: { append },
    messages: { appendAll },
    outputs: inlineOutputs,
    clock: new FixedClock(),
    holder: null,
  };
  await playInto(ports, script, threadId, runId);
  return { events, messages };
}

/**
 * Plays a script through the run writer into a log and messages.
 * @param recorded gets each record before the writer does, like the router's own table.
 */
export async function playInto(
  ports: WriterPorts,
  script: RunScript,
  threadId: string,
  runId: string,
  recorded: (record: ToolAgentOutput) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const writer = new RunEventWriter(ports, { threadId, runId });
  const question = { id: `${runId}-q`, content: script.question };
  const asked: NewThreadMessage = {
    ...question,
    threadId,
    runId,
    role: 'user',
    metadata: {},
    createdAt: AT,
  };
  const message = { ...question, createdAt: AT.toISOString() };
  await ports.log.append(
    threadId,
    runId,
    [{ type: 'RUN_STARTED', threadId, message }],
    async () => {
      await ports.messages.appendAll([asked]);
    },
  );
  await writer.begin(() => Promise.resolve());
  for (const [turn, part] of script.turns.entries()) {
    const { notices = [], thoughts = [], pieces, afterthoughts = [], calls } = part;
    for (const notice of notices) await writer.restartTurn(notice);
    for (const thought of thoughts) await writer.addReasoning(thought);
    for (const piece of pieces) await writer.addText(piece);
    for (const thought of afterthoughts) await writer.addReasoning(thought);
    const records = calls.map((call, index) => toRecord(call, `${runId}-call-${turn}-${index}`));
    await writer.endTurn(
      records.map((record) => ({
        id: record.tool_call_id,
        name: record.tool_name,
        arguments: JSON.stringify(record.tool_call_args),
      })),
    );
    for (const record of records) {
      await recorded(record);
      await writer.addResult(record);
    }
  }
  for (const thought of script.unfinishedThoughts ?? []) await writer.addReasoning(thought);
  for (const piece of script.unfinished) await writer.addText(piece);
  await writer.end({
    terminal:
      script.outcome === 'error'
        ? { type: 'RUN_ERROR', message: 'The model did not answer.', code: 'TIMEOUT' }
        : {
            type: 'RUN_FINISHED',
            threadId,
            outcome: script.outcome,
            usage: { inputTokens: 3, outputTokens: 5 },
          },
    settle: async (calls) => {
      const [call] = calls;
      if (call) throw new Error(`call ${call.id} has no result`);
      return [];
    },
    within: () => Promise.resolve(),
  });
}

/** Keys in an order that a jsonb would not keep. */
function filling(characters: number): JsonObject {
  return characters === 0 ? {} : { zz: '日'.repeat(characters), a: 1 };
}

function toRecord({ input, status, card, padding = 0 }: CallScript, id: string): ToolAgentOutput {
  const call = { module: 'calendar', method: 'read' };
  const failed = status === 'failure';
  return {
    tool_name: 'project_cli',
    tool_call_id: id,
    tool_call_args: { ...call, input },
    status,
    result: failed ? null : { ...call, data: { items: [input], count: 1, ...filling(padding) } },
    error: failed
      ? { code: 'NOT_FOUND', message: 'There is no such event.', ...call, retryable: false }
      : null,
    ui_hints: card
      ? {
          version: 1,
          template: 'calendar.read',
          locale: 'zh-CN',
          timezone: 'Asia/Shanghai',
          title: '日程',
          tone: 'neutral',
          sections: [{ heading: '今天', items: [{ id: 'evt_1', title: '项目会' }] }],
        }
      : null,
    repairs: [],
    summary: `查询到 1 条日程`,
    summary_version: 1,
    started_at: AT.toISOString(),
    finished_at: AT.toISOString(),
  };
}

const text = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.constantFrom('\r\n', '\u2028', 'data: x\n\nid: 9\n', '你好，Amy 👋', '\u0000', '[DONE]'),
);

/** AG-UI's zod schemas drop an own `__proto__`; the router refuses it anyway. */
const memberName = fc.string({ maxLength: 5 }).filter((name) => name !== '__proto__');

const NOTICES: RunNotice[] = [
  { type: 'model_retry', attempt: 2, of: 3, retryInMs: 1_000, code: 'RATE_LIMITED' },
  { type: 'model_fallback', model: 'other-model', code: 'DEPENDENCY_UNAVAILABLE' },
];

/** Runs of every kind: with and without text, calls, cards, an unfinished text, an error. */
export const runScripts: fc.Arbitrary<RunScript> = fc.record({
  question: text,
  turns: fc.array(
    fc.record({
      notices: fc.array(fc.constantFrom(...NOTICES), { maxLength: 2 }),
      thoughts: fc.array(text, { maxLength: 2 }),
      afterthoughts: fc.array(text, { maxLength: 1 }),
      pieces: fc.array(text, { maxLength: 4 }),
      calls: fc.array(
        fc.record({
          input: fc.dictionary(memberName, fc.string({ maxLength: 5 }), {
            maxKeys: 3,
            noNullPrototype: true,
          }) as fc.Arbitrary<JsonObject>,
          status: fc.constantFrom('success' as const, 'partial' as const, 'failure' as const),
          card: fc.boolean(),
        }),
        { maxLength: 3 },
      ),
    }),
    { maxLength: 4 },
  ),
  unfinishedThoughts: fc.array(text, { maxLength: 1 }),
  unfinished: fc.array(text, { maxLength: 2 }),
  outcome: fc.constantFrom('success' as const, 'cancelled' as const, 'error' as const),
});

/** The same, with results small and large, and nothing that PostgreSQL does not store. */
export const storedRunScripts: fc.Arbitrary<RunScript> = fc
  .tuple(runScripts, fc.infiniteStream(fc.constantFrom(0, 0, 100, 3_000)))
  .map(([script, sizes]) => ({
    ...storable(script),
    turns: script.turns.map(({ calls, ...texts }) => ({
      ...texts,
      calls: calls.map((call) => {
        const padding = sizes.next().value ?? 0;
        return { ...call, input: storable(call.input), padding };
      }),
    })),
  }));

/** Without NUL and half characters, which the router refuses and the loop replaces. */
function storable<T>(value: T): T {
  const text = JSON.stringify(value).replace(/\\u0000|\\ud[89a-f][0-9a-f]{2}/gi, '?');
  return JSON.parse(text) as T;
}

/** Scripts that a conformance test goes through one by one. */
export const RUN_SCRIPTS: Record<string, RunScript> = {
  'text only': {
    question: 'hello',
    turns: [{ pieces: ['Hello', ', Amy', ' 👋\r\n'], calls: [] }],
    unfinished: [],
    outcome: 'success',
  },
  'a call with a card': {
    question: '明天有什么安排？',
    turns: [
      { pieces: [], calls: [{ input: { mode: 'day' }, status: 'success', card: true }] },
      { pieces: ['明天有一个', '项目会。'], calls: [] },
    ],
    unfinished: [],
    outcome: 'success',
  },
  'text, several calls, text, calls again': {
    question: 'everything',
    turns: [
      {
        pieces: ['Let me look.'],
        calls: [
          { input: { a: '1' }, status: 'success', card: true },
          { input: {}, status: 'partial', card: false },
        ],
      },
      { pieces: ['And more.'], calls: [{ input: { b: '2' }, status: 'failure', card: true }] },
      { pieces: ['Done.'], calls: [] },
    ],
    unfinished: [],
    outcome: 'success',
  },
  'reasoning before a call, before an answer and behind it': {
    question: 'think',
    turns: [
      {
        thoughts: ['The person asks for ', 'their day.'],
        pieces: [],
        calls: [{ input: {}, status: 'success', card: true }],
      },
      {
        thoughts: ['明天很忙。'],
        pieces: ['You are busy', ' tomorrow.'],
        afterthoughts: ['That was short.'],
        calls: [{ input: { again: true }, status: 'failure', card: false }],
      },
      { thoughts: ['Done?'], pieces: ['Yes.'], calls: [] },
    ],
    unfinished: [],
    outcome: 'success',
  },
  'notices while the model is late': {
    question: 'wait',
    turns: [{ notices: NOTICES, thoughts: ['Well.'], pieces: ['Here.'], calls: [] }],
    unfinished: [],
    outcome: 'success',
  },
  'cancelled in the middle of reasoning': {
    question: 'think long',
    turns: [],
    unfinishedThoughts: ['Let me'],
    unfinished: [],
    outcome: 'cancelled',
  },
  'a failed call': {
    question: 'delete nothing',
    turns: [
      { pieces: [], calls: [{ input: {}, status: 'failure', card: false }] },
      { pieces: ['There is no such event.'], calls: [] },
    ],
    unfinished: [],
    outcome: 'success',
  },
  'cancelled in the middle of a text': {
    question: 'tell me a story',
    turns: [],
    unfinished: ['Once upon'],
    outcome: 'cancelled',
  },
  'an error after a call': {
    question: 'break',
    turns: [{ pieces: [], calls: [{ input: {}, status: 'success', card: true }] }],
    unfinished: ['I was'],
    outcome: 'error',
  },
  'an error at once': { question: 'x', turns: [], unfinished: [], outcome: 'error' },
  'nothing said': { question: 'x', turns: [], unfinished: [], outcome: 'success' },
};
