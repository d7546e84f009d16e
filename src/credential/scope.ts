import { readCapabilityId } from '../common/capability-id.js';

const NAME = '[a-z][a-z0-9_]*';

/** `*`, `module.*`, `module.method` or `*.method` (PROTOCOL §13). */
export const SCOPE_PATTERN = new RegExp(
  `^(?:\\*|(?:${NAME}|\\*)\\.${NAME}|${NAME}\\.\\*|client\\.[A-Za-z0-9_-]{1,64})$`,
);

/** Most patterns in one scope. */
export const MAX_SCOPE_PATTERNS = 64;

/** Most characters of a scope: the token that carries it must fit into an HTTP header. */
export const MAX_SCOPE_LENGTH = 4096;

/**
 * Whether a scope lets its holder call a capability. Pure. What is no capability id
 * (`module.method`) and what no pattern names is not allowed; a malformed pattern allows nothing.
 */
export function scopeAllows(scope: readonly string[], capabilityId: string): boolean {
  const named = readCapabilityId(capabilityId);
  if (!named) return false;
  const { module, method } = named;
  return scope.some(
    (pattern) =>
      pattern === '*' ||
      pattern === capabilityId ||
      pattern === `${module}.*` ||
      pattern === `*.${method}`,
  );
}
