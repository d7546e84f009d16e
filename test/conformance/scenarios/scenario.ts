import type { ChatChunk } from '../../../src/agent/models/chat-model.js';
import type { ClientTool } from '../stock-agent.js';
import type { ScriptedTurn } from '../../support/scripted-model.js';

/** What a step is to come to; what is absent is not looked at. */
export interface Expectation {
  /** RUN_FINISHED when absent. */
  ends?: 'RUN_FINISHED' | 'RUN_ERROR';
  /** Code of RUN_ERROR. */
  code?: string;
  /** Status of the run in the state that the client holds. */
  status?: 'succeeded' | 'failed' | 'cancelled' | 'waiting';
  /** Roles of the messages that the step adds behind the person's. */
  roles?: string[];
  /** Texts of the assistant and of its reasoning, as far as there are any. */
  texts?: (string | RegExp)[];
  /** Types of events that are among those of the step. */
  has?: string[];
  /** Names of the calls that are left to the front end, in their order. */
  pending?: string[];
  /** Status and error code of tool results: `success`, `failure NOT_FOUND`. */
  results?: string[];
  /** The request is refused with this HTTP status, and no run begins. */
  refused?: number;
}

interface StepBase {
  /** Turns of the model for this step. */
  model?: ScriptedTurn[];
  expect: Expectation;
  /** When the client sees an event of this type, it cancels the run, or goes away and leaves it. */
  cancelOn?: string;
  leaveOn?: string;
  /** Another client says something in the thread meanwhile, when this one sees such an event. */
  interjectOn?: string;
  /** Is called after what the three above do was done. */
  done?: () => void;
}

/** What a tool of the front end gave. */
export interface ToolAnswer {
  content?: string;
  error?: string;
}

/** What a person does at a stock client. */
export type Step = StepBase &
  (
    | { say: unknown }
    /** Answers everything that the client holds as pending; null cancels it. `say` goes with it. */
    | { answer: object | null; also?: string }
    /**
     * Tells what the front end's tools gave, by their names, as far as they are named; `said` goes with it.
     * With `resolve` it answers what the client holds as pending, too.
     */
    | {
        give: Record<string, ToolAnswer | undefined>;
        said?: string;
        resolve?: object;
      }
  );

/** One conversation with a stock client, from an empty thread. */
export interface Scenario {
  name: string;
  locale?: 'en' | 'zh-CN';
  /** Tools of the front end, sent with every run. */
  tools?: ClientTool[];
  /** Made anew for each client, because turns may hold something. */
  steps: () => Step[];
}

const FINISH: ChatChunk = {
  type: 'finish',
  reason: 'stop',
  usage: { inputTokens: 10, outputTokens: 2 },
};

/** A turn with reasoning before its text, and behind it. */
export function thinks(thoughts: string[], text: string[] = [], late: string[] = []): ChatChunk[] {
  return [
    ...thoughts.map((delta): ChatChunk => ({ type: 'reasoning', delta })),
    ...text.map((delta): ChatChunk => ({ type: 'text', delta })),
    ...late.map((delta): ChatChunk => ({ type: 'reasoning', delta })),
    FINISH,
  ];
}

/** A turn that says something and then nothing more, until it is aborted. */
export function stalls(...chunks: ChatChunk[]): ScriptedTurn {
  return async function* (_request, signal) {
    yield* chunks;
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    signal.throwIfAborted();
  };
}

/** A turn that goes on only after `until` has come true. */
export function waits(chunks: ChatChunk[], until: Promise<unknown>, rest: ChatChunk[]) {
  return async function* (): AsyncGenerator<ChatChunk, void, void> {
    yield* chunks;
    await until;
    yield* rest;
  };
}
