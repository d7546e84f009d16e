import { CLIENT_MODULE } from '../../common/capability-id.js';
import type { AssistantToolCall } from '../../threads/thread-message.js';
import { TOOL_NAME } from '../../tool-output/tool-agent-output.js';

/**
 * A call as its model makes it and is shown it again: always of its one function (PROTOCOL §2), also where
 * people and clients see the name of a client's tool. Pure.
 */
export function modelForm({ id, name, arguments: args, client }: AssistantToolCall): {
  id: string;
  name: string;
  arguments: string;
} {
  if (!client) return { id, name, arguments: args };
  // The input keeps its text: what the client saw is what the model is shown.
  const call = `{"module":"${CLIENT_MODULE}","method":${JSON.stringify(name)},"input":${args}}`;
  return { id, name: TOOL_NAME, arguments: call };
}
