/** The module of the tools that a run's client brings; no provider may register one of this name. */
export const CLIENT_MODULE = 'client';

/** Names of a client's tools, as models and AG-UI have them: a wider set than that of our own methods. */
export const CLIENT_TOOL_NAME = /^[A-Za-z0-9_-]{1,64}$/;

const OWN = /^([a-z][a-z0-9_]*)\.([a-z][a-z0-9_]*)$/;
const CLIENT = /^(client)\.([A-Za-z0-9_-]{1,64})$/;

/** Module and method of a capability's id (`module.method`); null for what is none. Pure. */
export function readCapabilityId(id: string): { module: string; method: string } | null {
  const [, module, method] = OWN.exec(id) ?? CLIENT.exec(id) ?? [];
  return module === undefined || method === undefined ? null : { module, method };
}
