import { setTimeout as delay } from 'node:timers/promises';
import type { AguiInterrupt } from '../../src/interrupts/agui-interrupt.js';
import type { ApiClient } from '../support/api-client.js';
import type { ClientForm } from './client-tools.js';
import type { View } from './evidence.js';
import { messageMark, type Mark } from './marks.js';
import type { Random } from './random.js';
import { Requests, type Surroundings } from './requests.js';
import { Screen, type Ending } from './screen.js';
import { ToolClient } from './tool-client.js';

/** What a person is and says. */
export interface Character {
  number: number;
  /** How their client brings tools of its own; null: it has none. */
  tools: ClientForm | null;
  /** The text of a message of which all effects carry the mark. */
  sentence: (mark: Mark) => string;
}

/**
 * A client that talks, loses its connection, comes back to another server, cancels, and answers what
 * it is asked, all by chance; it repeats what was not answered, as the API allows.
 */
export class Person {
  private said = 0;
  /** What it has of its own threads, to go on with. */
  private readonly threads: View[] = [];
  private readonly name: string;
  private readonly requests: Requests;
  private readonly screen: Screen;
  private readonly tools: ToolClient | null;

  constructor(
    private readonly character: Character,
    readonly account: ApiClient,
    around: Surroundings,
    private readonly random: Random,
  ) {
    this.name = `p${character.number}`;
    this.requests = new Requests(this.name, account.token, around, random);
    this.screen = new Screen(this.name, this.requests, random);
    const { tools } = character;
    this.tools = tools && new ToolClient(tools, this.requests, random);
  }

  /** Threads in which it has a run. */
  get threadIds(): string[] {
    return this.threads.map(({ threadId }) => threadId);
  }

  /** Talks until `over` says so; what has begun is brought to its end. */
  async live(over: () => boolean): Promise<void> {
    while (!over()) {
      await this.converse();
      await delay(this.random.between(0, 200));
    }
  }

  private async converse(): Promise<void> {
    const view = this.threadToTalkIn();
    const { threadId } = view;
    let { mark, runId } = await this.say(threadId);
    for (let answers = 1; runId !== null; answers += 1) {
      const watching = this.random.chance(0.2) ? this.screen.watch(threadId, runId) : null;
      const ending = await this.screen.follow(view, runId);
      await watching;
      const speak = async (): Promise<string | null> => {
        const more = await this.say(threadId);
        mark = more.mark;
        return more.runId;
      };
      runId = ending ? await this.react({ threadId, ending, mark, answers }, speak) : null;
    }
  }

  private threadToTalkIn(): View {
    if (this.threads.length > 0 && this.random.chance(0.4)) return this.random.pick(this.threads);
    const mark = messageMark(this.character.number, this.said + 1);
    const view = this.requests.journal.view(`thread-${mark}`, `${this.name} talks`);
    this.threads.push(view);
    return view;
  }

  private async say(threadId: string): Promise<{ mark: Mark; runId: string | null }> {
    this.said += 1;
    const mark = messageMark(this.character.number, this.said);
    const text = this.character.sentence(mark);
    const body = this.tools?.saying({ threadId, mark, text }) ?? { threadId, message: text };
    return { mark, runId: await this.requests.start(body, `${mark}-said`) };
  }

  /** Answers what a run waits for, or does not. @returns the run that goes on. */
  private async react(
    { threadId, ending, mark, answers }: Reaction,
    speak: () => Promise<string | null>,
  ): Promise<string | null> {
    if (ending.type !== 'RUN_FINISHED') return null;
    const { runId } = ending;
    if (ending.outcome === 'pending' && this.tools) {
      const { pendingCalls: calls } = ending;
      return this.tools.answer({ threadId, runId, calls, mark, answers }, speak);
    }
    if (ending.outcome !== 'interrupt') return null;
    const chance = this.random.next();
    // A message of an AG-UI client does not give up what its person was asked.
    if (chance < 0.1 && this.tools?.form !== 'agui') return null;
    if (chance < 0.2) {
      await this.requests.cancel(runId);
      return null;
    }
    const resume = answersTo(ending.interrupts, chance < 0.8);
    const key = `${mark}-${answers}`;
    this.requests.journal.resumes += 1;
    if (!this.tools) return this.requests.start({ threadId, resume }, key);
    const calls = ending.pendingCalls ?? [];
    return this.tools.resume({ threadId, runId, calls, mark, answers }, resume, key);
  }
}

interface Reaction {
  threadId: string;
  ending: Ending;
  /** Of the message that was answered with that, and how many answers it had before. */
  mark: Mark;
  answers: number;
}

function answersTo(interrupts: readonly AguiInterrupt[], approved: boolean): object[] {
  return interrupts.map(({ id }) => ({
    interruptId: id,
    status: 'resolved',
    payload: { approved },
  }));
}
