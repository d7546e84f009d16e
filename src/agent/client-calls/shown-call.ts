import { CLIENT_MODULE } from '../../common/capability-id.js';
import { TOOL_NAME } from '../../tool-output/tool-agent-output.js';
import type { CapabilityAccess } from '../../tool-router/capability-access.js';
import type { Caller } from '../../tool-router/caller.js';
import { clientToolSet } from '../../tool-router/client-tools/client-tool-set.js';
import { readInput } from '../../tool-router/input/read-input.js';
import { parseToolCall } from '../../tool-router/parse-tool-call.js';
import type { TurnCall } from '../loop/turn-calls.js';

/**
 * A call as it is announced. One of a tool of the run's client that may be carried out at once has the
 * tool's own name and input, so that a stock client runs its handler. Everything else is announced as the
 * model made it, for which no client has a handler: what is refused, wrong, or waits for an approval must
 * not be carried out by whoever reads the stream. Never throws; the router decides again when it is called.
 */
export async function shownCall(
  call: TurnCall,
  access: Pick<CapabilityAccess, 'decide'>,
  caller: Caller,
): Promise<TurnCall> {
  const { raw, shown } = call;
  if (raw.name !== TOOL_NAME || !caller.clientTools) return call;
  const parsed = parseToolCall(raw.arguments);
  const { module, method } = parsed.args;
  if (parsed.error || module !== CLIENT_MODULE) return call;
  const id = `${module}.${method}`;
  const capability = clientToolSet(caller.clientTools).get(id);
  if (!capability || access.decide(caller, id).effect !== 'allow') return call;
  try {
    const { input } = await readInput(capability, parsed.input);
    const args = JSON.stringify(input);
    return { ...call, shown: { id: shown.id, name: method, arguments: args, client: true } };
  } catch {
    return call;
  }
}
