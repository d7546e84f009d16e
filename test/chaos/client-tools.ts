import type { PendingCall } from '../../src/events/run-event.js';
import type { GivenMark, Mark } from './marks.js';

/** In which of the two forms a client brings its tools and their results (PROTOCOL §11, AG-UI 1.0). */
export type ClientForm = 'plain' | 'agui';

/** A tool of the clients that needs an approval first, as the whitelist names it. */
export const ASKS_FIRST = 'client.paint';

const OF = { type: 'object', properties: { of: { type: 'string' } }, required: ['of'] };

/** Tools that clients bring; the scripted model calls them by these names. */
export const TOOLS = [
  { name: 'pickColour', description: 'Lets the person pick a colour.', parameters: OF },
  { name: 'showMap', description: 'Shows a map.', parameters: OF },
  { name: 'paint', description: 'Paints something.', parameters: OF },
];

/** What a client says that its tools gave: for all calls the same, and different each time. */
export interface Given {
  mark: GivenMark;
  /** Its tools could not do it. */
  failed: boolean;
}

/** A request that says something, with the tools of the client. */
export function sayingBody(
  form: ClientForm,
  { threadId, mark, text }: { threadId: string; mark: Mark; text: string },
): object {
  if (form === 'plain') return { threadId, message: text, tools: TOOLS };
  return aguiInput(threadId, mark, [userMessage(mark, text)]);
}

/** A request that brings the results of calls, and answers what the person was asked, if anything. */
export function answeringBody(
  form: ClientForm,
  { threadId, mark }: { threadId: string; mark: Mark },
  { calls, given, resume }: { calls: readonly PendingCall[]; given: Given; resume?: object[] },
): object {
  const content = JSON.stringify({ given: given.mark });
  const results = calls.map(({ toolCallId }) => ({
    toolCallId,
    content,
    ...(given.failed && { error: `broken ${given.mark}` }),
  }));
  if (form === 'plain') {
    return {
      threadId,
      ...(results.length > 0 && { toolResults: results }),
      ...(resume && { resume }),
    };
  }
  // A client of AG-UI resends what it holds.
  const messages = [
    userMessage(mark, 'as before'),
    ...results.map((result, index) => ({
      ...result,
      id: `gave-${given.mark}-${index}`,
      role: 'tool',
    })),
  ];
  return { ...aguiInput(threadId, given.mark, messages), ...(resume && { resume }) };
}

function userMessage(mark: Mark, text: string): object {
  return { id: `said-${mark}`, role: 'user', content: text };
}

function aguiInput(threadId: string, mark: Mark, messages: object[]): object {
  return {
    threadId,
    runId: `run-${mark}`,
    messages,
    tools: TOOLS,
    state: {},
    context: [],
    forwardedProps: {},
    protocolVersion: '1.0',
  };
}
