import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { CLIENT_MODULE } from '../../common/capability-id.js';
import type { JsonObject } from '../../common/json.js';
import { StewardError } from '../../common/steward-error.js';
import type { CallContext } from '../call-context.js';
import type { ModuleSummary, RegisteredCapability } from '../capability-registration.js';
import { deepFreeze } from '../input/deep-freeze.js';
import { ClientCallHandedOut } from './client-call.js';
import { ClientInputSchema } from './client-input-schema.js';
import type { ClientTool } from './client-tool.js';

/** Milliseconds for the checks of a call; how long its client may take is a matter of its run. */
const CHECK_TIMEOUT_MS = 20_000;

export const CLIENT_MODULE_SUMMARY: ModuleSummary = {
  name: CLIENT_MODULE,
  description:
    "Tools of the app that the person is using; a call is carried out there, before the person's eyes.",
};

/** Lists that are kept as capabilities: many runs bring the same. */
const SETS = new LRUCache<string, ClientToolSet>({ max: 200 });
/** Whoever has the list at hand need not hash it again. */
const OF_LISTS = new WeakMap<readonly ClientTool[], ClientToolSet>();

/**
 * A run's tools as capabilities, once for all that bring the same; a schema is compiled when its tool is called.
 * @param tools as `readClientTools` gives them; not changed afterwards.
 */
export function clientToolSet(tools: readonly ClientTool[]): ClientToolSet {
  const known = OF_LISTS.get(tools);
  if (known) return known;
  const hash = hashOfTools(tools);
  const set = SETS.get(hash) ?? new ClientToolSet(tools);
  SETS.set(hash, set);
  OF_LISTS.set(tools, set);
  return set;
}

/** Tells lists apart. */
export function hashOfTools(tools: readonly ClientTool[]): string {
  return createHash('sha256').update(JSON.stringify(tools)).digest('base64url');
}

/** The tools of a run's client as capabilities, which nobody but the run has. */
class ClientToolSet {
  private readonly capabilities: ReadonlyMap<string, RegisteredCapability>;

  constructor(tools: readonly ClientTool[]) {
    this.capabilities = new Map(
      tools.map((tool) => [`${CLIENT_MODULE}.${tool.name}`, toCapability(tool)]),
    );
  }

  get(id: string): RegisteredCapability | undefined {
    return this.capabilities.get(id);
  }

  list(): RegisteredCapability[] {
    return [...this.capabilities.values()];
  }
}

function toCapability({ name, description, parameters }: ClientTool): RegisteredCapability {
  const descriptor = deepFreeze({
    id: `${CLIENT_MODULE}.${name}`,
    module: CLIENT_MODULE,
    method: name,
    version: 1,
    description: description === '' ? name : description,
    inputSchema: parameters,
    outputSchema: {},
    effect: 'write' as const,
    risk: 'medium' as const,
    requiresApproval: false,
    timeoutMs: CHECK_TIMEOUT_MS,
    group: CLIENT_MODULE,
    examples: [],
  });
  const handler = (input: JsonObject, context: CallContext): Promise<never> => {
    if (!context.handsOut) return Promise.reject(onlyInRuns(name));
    // Whoever carries the call in adds what was repaired.
    return Promise.reject(new ClientCallHandedOut({ method: name, input, repairs: [] }));
  };
  return {
    descriptor,
    inputSchema: new ClientInputSchema(parameters),
    registration: { descriptor, handler },
    enabled: true,
  };
}

function onlyInRuns(name: string): StewardError {
  const message = `${CLIENT_MODULE}.${name} is a tool of the person's app: it runs there, when the agent calls it within its run, and through no other door.`;
  return new StewardError('FORBIDDEN', message);
}
