import {
  callReply,
  chunk,
  usageChunk,
  type ModelReply,
  type ModelRequest,
} from '../support/model-server.js';
import { markOf, writeMark, type Mark } from './marks.js';
import type { Random } from './random.js';

/** What a person may ask for in a message: each is one turn of the model. */
export const STEPS = ['event', 'contact', 'both', 'read', 'say'] as const;
/** The same of a person whose client has tools: they are called alone, beside others, or after an approval. */
export const CLIENT_STEPS = ['pick', 'several', 'paint', 'mixed', ...STEPS] as const;
export type Step = (typeof CLIENT_STEPS)[number];

type Call = Parameters<typeof callReply>[number];

/** A message that tells the scripted model what to do; `mark` is in all that it writes. */
export function message(mark: Mark, steps: readonly Step[]): string {
  return `${mark} ${steps.join(' ')}.`;
}

/**
 * A model that does what the newest message says, step by step: where it is, it sees from the results
 * that follow that message, so it may be asked again at any time. It takes its time between pieces,
 * says the same in other words now and then, and fails sometimes.
 */
export function scriptedModel(random: Random): (request: ModelRequest) => ModelReply {
  return ({ body }) => {
    if (random.chance(0.02)) return { status: random.pick([429, 500, 503]), lines: [{}] };
    const asked = body.messages.findLastIndex(({ role }) => role === 'user');
    const text = textOf(body.messages[asked]?.['content']);
    const mark = markOf(text);
    if (mark === null) return slowly(random, spoken(random, 'I was asked for nothing.'));
    const steps = CLIENT_STEPS.filter((step) => text.split(/[ .]/).includes(step));
    const results = body.messages.slice(asked + 1).filter(({ role }) => role === 'tool').length;
    return slowly(random, turn(mark, steps, results, random));
  };
}

function turn(mark: Mark, steps: readonly Step[], results: number, random: Random): ModelReply {
  let before = 0;
  for (const [index, step] of steps.entries()) {
    const calls = callsOf(step, mark, index);
    if (before >= results && calls.length > 0) return callReply(...calls);
    before += calls.length;
  }
  return spoken(random, `${mark} is done, with ${results} results`);
}

function callsOf(step: Step, mark: Mark, index: number): Call[] {
  switch (step) {
    case 'event':
      return [event(writeMark(mark, index, 0))];
    case 'contact':
      return [contact(writeMark(mark, index, 0))];
    case 'both':
      return [event(writeMark(mark, index, 0)), contact(writeMark(mark, index, 1))];
    case 'read':
      return [{ module: 'contacts', method: 'read', input: { mode: 'list', limit: 5 } }];
    case 'pick':
      return [ofClient('pickColour', writeMark(mark, index, 0))];
    case 'several':
      return [
        ofClient('pickColour', writeMark(mark, index, 0)),
        event(writeMark(mark, index, 1)),
        ofClient('showMap', writeMark(mark, index, 2)),
      ];
    case 'paint':
      return [ofClient('paint', writeMark(mark, index, 0))];
    case 'mixed':
      return [ofClient('showMap', writeMark(mark, index, 0)), contact(writeMark(mark, index, 1))];
    case 'say':
      return [];
  }
}

/** The times of all are the same: what is written is found by its mark alone. */
function event(mark: Mark): Call {
  const input = {
    title: mark,
    start_at: '2027-05-03T09:00:00+08:00',
    end_at: '2027-05-03T10:00:00+08:00',
  };
  return { module: 'calendar', method: 'create', input };
}

function contact(mark: Mark): Call {
  return { module: 'contacts', method: 'create', input: { name: mark } };
}

function ofClient(method: string, of: Mark): Call {
  return { module: 'client', method, input: { of } };
}

/** A text in pieces; its second half is not the same each time it is said. */
function spoken(random: Random, start: string): ModelReply {
  const words = random.chance(0.3) ? ' and what else there was to say' : ' as you asked me to do';
  const pieces = `${start}:${words}, word for word.`.match(/.{1,6}/gs) ?? [];
  return {
    lines: [
      ...pieces.map((content) => chunk({ content })),
      chunk({}, 'stop'),
      usageChunk(10, 5),
      '[DONE]',
    ],
  };
}

function slowly(random: Random, reply: ModelReply): ModelReply {
  const lines = reply.lines.flatMap((line) =>
    random.chance(0.5) ? [random.between(5, 80), line] : [line],
  );
  return { ...reply, lines };
}

function textOf(content: unknown): string {
  return typeof content === 'string' ? content : JSON.stringify(content);
}
