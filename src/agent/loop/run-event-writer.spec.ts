import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { inlineOutputs } from '../../../test/support/inline-outputs.js';
import { grammarFaults } from '../../../test/support/run-grammar.js';
import { Clock } from '../../common/clock.js';
import type { LoggedEvent, NewRunEvent, RunEvent } from '../../events/run-event.js';
import type { NewThreadMessage, ThreadMessage } from '../../threads/thread-message.js';
import { rebuildContext } from '../context/context-rebuild.js';
import { RunEventWriter, type RunEnding } from './run-event-writer.js';
import { foldRun } from './run-fold.js';
import { toStorable } from './safe-text.js';
import { unexecutedCall } from './unexecuted-call.js';

const PLACE = { threadId: 'thr', runId: 'run' };
const STARTED: NewRunEvent = {
  type: 'RUN_STARTED',
  threadId: 'thr',
  message: { id: 'msg_user', content: 'hi', createdAt: '2026-01-01T00:00:00Z' },
};

/** A log and a message table in memory; an append fails after `failAt` of them. */
class MemoryStore {
  events: RunEvent[] = [{ ...STARTED, timestamp: 0 }];
  rows: ThreadMessage[] = [];
  private appends = 0;

  constructor(private readonly failAt = Number.POSITIVE_INFINITY) {}

  readonly ports = {
    clock: new Clock(),
    holder: null,
    outputs: inlineOutputs,
    messages: {
      appendAll: (messages: NewThreadMessage[]): Promise<ThreadMessage[]> => {
        const stored = messages.map((row, n) => ({ ...row, seq: this.rows.length + n + 1 }));
        this.rows.push(...stored);
        return Promise.resolve(stored);
      },
    },
    log: {
      append: async (
        threadId: string,
        runId: string,
        events: NewRunEvent[],
        within?: () => Promise<void>,
      ): Promise<LoggedEvent[]> => {
        await new Promise((resolve) => setImmediate(resolve));
        if (this.appends === this.failAt) throw new Error('the database is gone');
        this.appends += 1;
        await within?.();
        const stamped = events.map((event): RunEvent => ({ ...event, timestamp: 0 }));
        this.events.push(...stamped);
        return stamped.map((event, id) => ({ threadId, runId, id, event }));
      },
    },
  };
}

const REFUSAL = { code: 'CANCELLED' as const, message: 'ended', retryable: false };
const FAILED: RunEnding = {
  terminal: { type: 'RUN_ERROR', message: 'no', code: 'INTERNAL' },
  settle: (calls) =>
    Promise.resolve(calls.map((call) => unexecutedCall(call, REFUSAL, new Date(0), 'en'))),
  within: () => Promise.resolve(),
};
const FINISHED: RunEnding = {
  ...FAILED,
  terminal: { type: 'RUN_FINISHED', threadId: 'thr', outcome: 'success', usage: null },
};

interface Turn {
  thoughts: string[];
  late: string[];
  text: string[];
  calls: number;
}
const turns = fc.array(
  fc.record({
    thoughts: fc.array(fc.string({ unit: 'binary', maxLength: 6 }), { maxLength: 3 }),
    late: fc.array(fc.string({ unit: 'binary', maxLength: 6 }), { maxLength: 1 }),
    text: fc.array(fc.string({ unit: 'binary', maxLength: 6 }), { maxLength: 4 }),
    calls: fc.nat(3),
  }),
  { maxLength: 5 },
);

/** Plays turns until `answers` results are given; then the run ends with what is open. */
async function play(writer: RunEventWriter, script: Turn[], answers: number): Promise<boolean> {
  await writer.begin(() => Promise.resolve());
  return playTurns(writer, script, answers);
}

async function playTurns(writer: RunEventWriter, script: Turn[], answers: number, first = 0) {
  let given = 0;
  let id = first;
  for (const turn of script) {
    for (const piece of turn.thoughts) await writer.addReasoning(piece);
    for (const piece of turn.text) await writer.addText(piece);
    for (const piece of turn.late) await writer.addReasoning(piece);
    const calls = Array.from({ length: turn.calls }, () => {
      id += 1;
      return { id: `call_${id}`, name: 'project_cli', arguments: id % 2 ? '{}' : '' };
    });
    await writer.endTurn(calls);
    for (const call of calls) {
      if (given === answers) return false;
      given += 1;
      await writer.addResult(unexecutedCall(call, REFUSAL, new Date(0), 'en'));
    }
  }
  return true;
}

/** Goes on with a run as another process does: open calls, the turn that was broken off, the others. */
async function goOn(store: MemoryStore, script: Turn[]): Promise<void> {
  const folded = foldRun(store.events);
  if (folded.open.ended) return;
  const writer = new RunEventWriter(store.ports, PLACE, folded);
  if (folded.open.stage === null) await writer.begin(() => Promise.resolve());
  for (const call of folded.calls) {
    await writer.addResult(unexecutedCall(call, REFUSAL, new Date(0), 'en'));
  }
  const ended = store.rows.filter(
    (row) => row.role === 'assistant' && row.metadata.interrupted !== true,
  );
  const calls = folded.calls.length + folded.answered.length;
  if (!folded.concluded) await playTurns(writer, script.slice(ended.length), 99, calls);
  await writer.end(FINISHED);
}

/** Texts of a run's messages, and whether they were broken off, as history has them. */
function said(store: MemoryStore) {
  return store.rows.flatMap((row) =>
    row.role === 'assistant' && row.content !== ''
      ? [{ content: row.content, brokenOff: row.metadata.interrupted === true }]
      : [],
  );
}

/** Texts, calls and results as the rows have them, and as the events have them. */
function facts(store: MemoryStore) {
  const texts = new Map<string, string>();
  const thoughts = new Map<string, string>();
  for (const event of store.events) {
    if (event.type === 'REASONING_MESSAGE_CONTENT') {
      thoughts.set(event.messageId, (thoughts.get(event.messageId) ?? '') + event.delta);
    }
    if (event.type !== 'TEXT_MESSAGE_CONTENT') continue;
    texts.set(event.messageId, (texts.get(event.messageId) ?? '') + event.delta);
  }
  return {
    thoughts: [...thoughts],
    rowThoughts: store.rows
      .filter((row) => row.role === 'reasoning')
      .map((row) => [row.id, row.content]),
    texts: [...texts],
    rowTexts: store.rows
      .filter((row) => row.role === 'assistant' && row.content !== '')
      .map((row) => [row.id, row.content]),
    calls: store.events.flatMap((e) => (e.type === 'TOOL_CALL_START' ? [e.toolCallId] : [])),
    rowCalls: store.rows.flatMap((row) =>
      row.role === 'assistant' ? (row.metadata.tool_calls ?? []).map((call) => call.id) : [],
    ),
    results: store.events.flatMap((e) => (e.type === 'TOOL_CALL_RESULT' ? [e.toolCallId] : [])),
    rowResults: store.rows.flatMap((row) =>
      row.role === 'tool' ? [row.metadata.tool_call_id] : [],
    ),
  };
}

function expectWhole(store: MemoryStore): void {
  expect(grammarFaults(store.events)).toEqual([]);
  const { thoughts, rowThoughts, texts, rowTexts, ...rest } = facts(store);
  const { calls, rowCalls, results, rowResults } = rest;
  expect(rowThoughts).toEqual(thoughts);
  expect(rowTexts).toEqual(texts);
  expect(rowCalls).toEqual(calls);
  expect(rowResults).toEqual(results);
  expect(results).toEqual(calls);
  const context = rebuildContext(store.rows);
  expect(context.filter(({ message }) => message.content !== '')).toHaveLength(texts.length);
  expect(context.flatMap((group) => group.results)).toHaveLength(results.length);
}

describe('RunEventWriter', () => {
  it('keeps grammar, and rows equal to events, whatever the turns and wherever the run ends', async () => {
    await fc.assert(
      fc.asyncProperty(turns, fc.nat(8), async (script, answers) => {
        const store = new MemoryStore();
        const writer = new RunEventWriter(store.ports, PLACE);
        const whole = await play(writer, script, answers);
        await writer.end(whole ? FINISHED : FAILED);
        expectWhole(store);
      }),
      { numRuns: 60 },
    );
  });

  it('keeps them when the run is cut off in the middle of a text', async () => {
    const store = new MemoryStore();
    const writer = new RunEventWriter(store.ports, PLACE);
    await writer.begin(() => Promise.resolve());
    await writer.addText('half an ans');
    await writer.end(FAILED);
    expectWhole(store);
    expect(store.rows).toMatchObject([
      { role: 'assistant', content: 'half an ans', metadata: { interrupted: true } },
    ]);
  });

  it('can be taken over by another writer after any number of durable appends', async () => {
    await fc.assert(
      fc.asyncProperty(turns, fc.integer({ min: 0, max: 12 }), async (script, failAt) => {
        const store = new MemoryStore(failAt);
        const first = new RunEventWriter(store.ports, PLACE);
        const failed = await play(first, script, 99).then(
          () => false,
          () => true,
        );
        if (failed) await expect(first.end(FAILED)).rejects.toThrow('the database is gone');
        const second = new MemoryStore();
        Object.assign(second, { events: store.events, rows: store.rows });
        const folded = foldRun(store.events);
        if (!folded.open.ended) {
          await new RunEventWriter(second.ports, PLACE, folded).end(FAILED);
        }
        expectWhole(second);
      }),
      { numRuns: 60 },
    );
  });

  /** Turns as a loop takes them: the first without a call is the last. */
  const conversation = turns.map((script) =>
    script.map((turn, n) => ({
      ...turn,
      calls: n === script.length - 1 ? 0 : Math.max(1, turn.calls),
    })),
  );
  /** What a run that is broken off after `failAt` appends comes to in the hands of another process. */
  async function brokenOff(failAt: number, script: Turn[], again: Turn[]) {
    const store = new MemoryStore(failAt);
    await play(new RunEventWriter(store.ports, PLACE), script, 99).catch(() => undefined);
    const second = new MemoryStore();
    Object.assign(second, { events: store.events, rows: store.rows });
    await goOn(second, again);
    expectWhole(second);
    return said(second);
  }
  const texts = (script: Turn[]) =>
    script.map((turn) => toStorable(turn.text.join(''))).filter((text) => text !== '');

  it('tells nothing twice when another process goes on and the model says the same again', async () => {
    await fc.assert(
      fc.asyncProperty(conversation, fc.integer({ min: 0, max: 16 }), async (script, failAt) => {
        const whole = texts(script).map((content) => ({ content, brokenOff: false }));
        expect(await brokenOff(failAt, script, script)).toEqual(whole);
      }),
      { numRuns: 200 },
    );
  });

  it('keeps what was said, marked, when the model then says something else', async () => {
    await fc.assert(
      fc.asyncProperty(
        conversation,
        conversation,
        fc.integer({ min: 0, max: 16 }),
        async (script, other, failAt) => {
          const again = script.map((turn, n) => ({ ...turn, text: other[n]?.text ?? turn.text }));
          const messages = await brokenOff(failAt, script, again);
          const kept = messages.filter((message) => message.brokenOff);
          expect(kept.length).toBeLessThanOrEqual(1);
          for (const { content } of kept) {
            const from = texts(script).some((text) => text.startsWith(content));
            expect(from).toBe(true);
            expect(texts(again).some((text) => text.startsWith(content) && text !== content)).toBe(
              false,
            );
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  /** How much of its thoughts and of its text there is of each try that a model breaks off. */
  const tries = fc.array(fc.record({ thoughts: fc.nat(3), text: fc.nat(4) }), { maxLength: 4 });
  const notice = { type: 'model_retry', attempt: 2, of: 9, retryInMs: 1, code: 'TIMEOUT' } as const;

  /** The first turn is broken off after each of `broken`, which may be of another conversation. */
  async function restarted(script: Turn[], broken: Turn[]) {
    const store = new MemoryStore();
    const writer = new RunEventWriter(store.ports, PLACE);
    await writer.begin(() => Promise.resolve());
    for (const turn of broken) {
      for (const piece of turn.thoughts) await writer.addReasoning(piece);
      for (const piece of turn.text) await writer.addText(piece);
      for (const piece of turn.late) await writer.addReasoning(piece);
      await writer.restartTurn(notice);
    }
    await playTurns(writer, script, 99);
    await writer.end(FINISHED);
    expectWhole(store);
    expect(store.events.filter(({ type }) => type === 'CUSTOM')).toHaveLength(broken.length);
    return store;
  }

  it('tells nothing twice when a model is broken off and says the same again', async () => {
    await fc.assert(
      fc.asyncProperty(conversation, tries, async (script, cuts) => {
        const [turn] = script;
        if (!turn) return;
        const { thoughts, text, late } = turn;
        const broken = cuts.map((cut) => {
          const spoken = text.slice(0, cut.text);
          return spoken.join('') === ''
            ? { ...turn, thoughts: thoughts.slice(0, cut.thoughts), text: [], late: [] }
            : { ...turn, text: spoken };
        });
        const store = await restarted(script, broken);
        const whole = texts(script).map((content) => ({ content, brokenOff: false }));
        expect(said(store)).toEqual(whole);
        const spoken = store.events.findIndex(
          ({ type }) => type === 'TEXT_MESSAGE_START' || type === 'TOOL_CALL_START',
        );
        const thought = store.events
          .slice(0, spoken === -1 ? undefined : spoken)
          .map((event) => (event.type === 'REASONING_MESSAGE_CONTENT' ? event.delta : ''));
        const meant = text.join('') === '' ? [...thoughts, ...late] : thoughts;
        expect(thought.join('')).toBe(toStorable(meant.join('')));
      }),
      { numRuns: 200 },
    );
  });

  it('keeps every text that the model did not say again, marked', async () => {
    await fc.assert(
      fc.asyncProperty(conversation, conversation, async (script, other) => {
        const [turn] = script;
        if (!turn) return;
        const messages = said(await restarted(script, other));
        const ended = messages.filter(({ brokenOff }) => !brokenOff);
        expect(ended.map(({ content }) => content)).toEqual(texts(script));
        const begun = texts(other);
        for (const { content } of messages.filter(({ brokenOff }) => brokenOff)) {
          expect(begun.some((text) => text.startsWith(content))).toBe(true);
        }
        const shown = messages.map(({ content }) => content);
        for (const text of begun) expect(shown.some((kept) => kept.startsWith(text))).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  it('keeps what was said, marked, when no further try succeeds', async () => {
    const store = new MemoryStore();
    const writer = new RunEventWriter(store.ports, PLACE);
    await writer.begin(() => Promise.resolve());
    await writer.addText('Half an answer');
    await writer.restartTurn(notice);
    await writer.addText('Half');
    await writer.restartTurn();
    await writer.addText('Half an answer, and');
    await writer.end(FAILED);
    expectWhole(store);
    expect(said(store)).toEqual([{ content: 'Half an answer, and', brokenOff: true }]);
  });

  it('shows what the model thought once, of a turn that is made again', async () => {
    const store = new MemoryStore();
    const script = [{ thoughts: ['Let me see.'], text: ['Hello, ', 'Amy.'], late: [], calls: 0 }];
    const first = new RunEventWriter(store.ports, PLACE);
    await first.begin(() => Promise.resolve());
    await first.addReasoning('Let me see.');
    await first.addText('Hello, ');
    while (store.events.at(-1)?.type !== 'TEXT_MESSAGE_CONTENT') {
      await new Promise((resolve) => setImmediate(resolve));
    }
    await first.letGo();
    expect(store.events.at(-1)).toMatchObject({ delta: 'Hello, ' });
    const second = new MemoryStore();
    Object.assign(second, { events: store.events, rows: store.rows });
    await goOn(second, script);
    expectWhole(second);
    expect(second.rows.map(({ role, content }) => [role, content])).toEqual([
      ['reasoning', 'Let me see.'],
      ['assistant', 'Hello, Amy.'],
    ]);
  });

  it('gathers pieces while the log is busy, and never splits a character', async () => {
    const store = new MemoryStore();
    const writer = new RunEventWriter(store.ports, PLACE);
    await writer.begin(() => Promise.resolve());
    for (const unit of '👍🏽 fine, thank you 🎉'.split('')) await writer.addText(unit);
    await writer.endTurn([]);
    await writer.end(FINISHED);
    const deltas = store.events.flatMap((e) =>
      e.type === 'TEXT_MESSAGE_CONTENT' ? [e.delta] : [],
    );
    expect(deltas.length).toBeLessThan(5);
    expect(deltas.join('')).toBe('👍🏽 fine, thank you 🎉');
    for (const delta of deltas) expect(toStorable(delta)).toBe(delta);
  });

  it('lets no token of a model’s text into events or rows, however it is split', async () => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const secret = 'c2lnbmF0dXJlc2lnbmF0dXJl';
    const token = `${part({ alg: 'EdDSA' })}.${part({ sub: 'usr_1' })}.${secret}`;
    const text = `The token: ${token}\nand Bearer sk-0123456789abcdef${secret}`;
    const cuts = fc.uniqueArray(fc.integer({ min: 1, max: text.length - 1 }));
    await fc.assert(
      fc.asyncProperty(cuts, fc.boolean(), async (places, cutOff) => {
        const store = new MemoryStore();
        const writer = new RunEventWriter(store.ports, PLACE);
        await writer.begin(() => Promise.resolve());
        const ends = [0, ...places.toSorted((a, b) => a - b), text.length];
        for (const [n, end] of ends.slice(1).entries()) {
          await writer.addText(text.slice(ends[n], end));
        }
        const shown = 'The token: [redacted]\nand Bearer [redacted]';
        if (!cutOff) expect(await writer.endTurn([])).toBe(shown);
        await writer.end(cutOff ? FAILED : FINISHED);
        expectWhole(store);
        expect(store.rows.map(({ content }) => content)).toEqual([shown]);
        expect(JSON.stringify([store.events, store.rows])).not.toContain(secret);
      }),
      { numRuns: 60 },
    );
  });

  it('keeps what a model thinks as a message of its own, closed before it speaks', async () => {
    const store = new MemoryStore();
    const writer = new RunEventWriter(store.ports, PLACE);
    await writer.begin(() => Promise.resolve());
    await writer.addReasoning('First ');
    await writer.addReasoning('this.');
    await writer.addText('Hello');
    await writer.addReasoning('Was that polite?');
    await writer.addText(', Amy.');
    expect(await writer.endTurn([])).toBe('Hello, Amy.');
    await writer.addReasoning('Cut o');
    await writer.end(FAILED);
    expectWhole(store);
    expect(store.rows.map(({ role, content }) => [role, content])).toEqual([
      ['reasoning', 'First this.'],
      ['assistant', 'Hello, Amy.'],
      ['reasoning', 'Was that polite?'],
      ['reasoning', 'Cut o'],
    ]);
  });

  it('lets no token into reasoning, bounds it, and drops it where it is not to be shown', async () => {
    const secret = 'sk-0123456789abcdefABCDEF0123456789abcdef';
    const store = new MemoryStore();
    const writer = new RunEventWriter(store.ports, PLACE);
    await writer.begin(() => Promise.resolve());
    for (const piece of `The key is ${secret} `.split('')) await writer.addReasoning(piece);
    for (let n = 0; n < 30; n += 1) await writer.addReasoning('long '.repeat(2_000));
    await writer.addText('Hi');
    await writer.endTurn([]);
    await writer.end(FINISHED);
    expectWhole(store);
    expect(JSON.stringify([store.events, store.rows])).not.toContain('0123456789');
    expect(store.rows[0]?.content).toMatch(/^The key is \[redacted\] long /);
    expect(store.rows[0]?.content.length).toBeLessThanOrEqual(200_000);

    const hidden = new MemoryStore();
    const quiet = new RunEventWriter({ ...hidden.ports, showsReasoning: false }, PLACE);
    await quiet.begin(() => Promise.resolve());
    await quiet.addReasoning('Nobody is to see this.');
    await quiet.addText('Hi');
    await quiet.endTurn([]);
    await quiet.end(FINISHED);
    expectWhole(hidden);
    expect(hidden.rows.map(({ role }) => role)).toEqual(['assistant']);
  });

  it('tells notices between messages, as events alone', async () => {
    const store = new MemoryStore();
    const writer = new RunEventWriter(store.ports, PLACE);
    await writer.begin(() => Promise.resolve());
    await writer.addReasoning('Half a th');
    const failed = { attempt: 2, of: 3, retryInMs: 500, code: 'TIMEOUT' as const };
    await writer.restartTurn({ type: 'model_retry', ...failed });
    await writer.addReasoning('Half a thought');
    await writer.restartTurn();
    await writer.addReasoning('Half a dream');
    await writer.addText('Hi');
    await writer.endTurn([]);
    await writer.end(FINISHED);
    await expect(
      writer.restartTurn({ type: 'model_fallback', model: 'other', code: 'TIMEOUT' }),
    ).rejects.toThrow('after the end');
    expectWhole(store);
    expect(store.events.filter(({ type }) => type === 'CUSTOM')).toEqual([
      { type: 'CUSTOM', name: 'steward.model_retry', value: failed, timestamp: 0 },
    ]);
    expect(store.rows.map(({ content }) => content)).toEqual([
      'Half a th',
      'ought',
      'Half a dream',
      'Hi',
    ]);
  });

  it('replaces what cannot be stored', async () => {
    const store = new MemoryStore();
    const writer = new RunEventWriter(store.ports, PLACE);
    await writer.begin(() => Promise.resolve());
    await writer.addText('a\0b\uDC00c');
    await writer.addText('d\uD83D');
    await writer.endTurn([]);
    expect(store.rows[0]?.content).toBe('a\uFFFDb\uFFFDcd\uFFFD');
  });

  it('refuses what the grammar has no place for', async () => {
    const store = new MemoryStore();
    const writer = new RunEventWriter(store.ports, PLACE);
    await writer.begin(() => Promise.resolve());
    await writer.end(FINISHED);
    await expect(writer.end(FINISHED)).rejects.toThrow('after the end');
    expect(grammarFaults(store.events)).toEqual([]);
  });
});
