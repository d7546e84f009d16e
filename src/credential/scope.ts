const NAME = '[a-z][a-z0-9_]*';

/** `*`, `module.*`, `module.method` or `*.method` (PROTOCOL §13). */
export const SCOPE_PATTERN = new RegExp(`^(?:\\*|(?:${NAME}|\\*)\\.${NAME}|${NAME}\\.\\*)$`);

/** Most patterns in one scope. */
export const MAX_SCOPE_PATTERNS = 64;

/** Most characters of a scope: the token that carries it must fit into an HTTP header. */
export const MAX_SCOPE_LENGTH = 4096;

const CAPABILITY = new RegExp(`^(${NAME})\\.(${NAME})$`);

/**
 * Whether a scope lets its holder call a capability. Pure. What is no capability id
 * (`module.method`) and what no pattern names is not allowed; a malformed pattern allows nothing.
 */
export function scopeAllows(scope: readonly string[], capabilityId: string): boolean {
  const [, module, method] = CAPABILITY.exec(capabilityId) ?? [];
  if (module === undefined || method === undefined) return false;
  return scope.some(
    (pattern) =>
      pattern === '*' ||
      pattern === capabilityId ||
      pattern === `${module}.*` ||
      pattern === `*.${method}`,
  );
}
