import type { NewRunEvent } from '../../events/run-event.js';
import type {
  AssistantMetadata,
  AssistantToolCall,
  NewThreadMessage,
} from '../../threads/thread-message.js';

export interface RunPlace {
  threadId: string;
  runId: string;
}

/** A message row before it is stamped; a union's members keep their own fields. */
type Unstamped<T> = T extends unknown ? Omit<T, 'createdAt'> : never;
export type Row = Unstamped<NewThreadMessage>;

/** Events, and the rows that commit with them. */
export interface Written {
  events: NewRunEvent[];
  rows: Row[];
}

export const NOTHING_WRITTEN: Written = { events: [], rows: [] };

/** What a model says in a run, as rows of its thread. */
export class RunRows {
  constructor(private readonly run: RunPlace) {}

  assistant(id: string, content: string, calls: AssistantToolCall[]): Row {
    return this.spoken(id, content, calls.length > 0 ? { tool_calls: calls } : {});
  }

  /** A text that was broken off. */
  interrupted(id: string, content: string): Row {
    return this.spoken(id, content, { interrupted: true });
  }

  /** None where nothing was thought. */
  reasoning(id: string, content: string): Row[] {
    return content === '' ? [] : [{ ...this.run, id, role: 'reasoning', content, metadata: {} }];
  }

  private spoken(id: string, content: string, metadata: AssistantMetadata): Row {
    return { ...this.run, id, role: 'assistant', content, metadata };
  }
}
