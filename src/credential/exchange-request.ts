import { StewardError, type InputIssue } from '../common/steward-error.js';
import { MAX_SCOPE_LENGTH, MAX_SCOPE_PATTERNS, SCOPE_PATTERN } from './scope.js';

/** Name of a whitelist profile. */
export const PROFILE_PATTERN = /^[a-z0-9_-]{1,32}$/;
export const DEFAULT_PROFILE = 'chat';
/** Who acts when the exchange came over HTTP: an agent outside this process. */
export const DEFAULT_ACTOR = 'api';
/** Who acts for the runs of this process. */
export const AGENT_ACTOR = 'agent-runtime';

/** What a credential is wanted for. */
export interface ExchangeRequest {
  /** 1 to 64 capability patterns: `calendar.*`, `calendar.read`, `*.read`, `*`. */
  scope: string[];
  /** Whitelist profile; default `chat`. */
  profile?: string | undefined;
  threadId?: string | undefined;
  runId?: string | undefined;
  /** Skills that its holder may see; absent or null for all that the deployment enables. */
  enabledSkills?: string[] | null | undefined;
  /** Default `api`. */
  actor?: string | undefined;
}

/** An exchange that was checked, with its defaults. */
export interface CheckedExchange {
  scope: string[];
  profile: string;
  actor: string;
  runId: string | null;
  threadId: string | null;
  enabledSkills: string[] | null;
}

/**
 * Checks an exchange and fills in what is absent; a pattern that stands twice counts once.
 * @throws StewardError INVALID_ACTION_INPUT with every fault.
 */
export function checkExchange(request: ExchangeRequest): CheckedExchange {
  const profile = request.profile ?? DEFAULT_PROFILE;
  const issues = scopeIssues(request.scope);
  if (!PROFILE_PATTERN.test(profile)) {
    issues.push({
      path: 'profile',
      message: 'is not the name of a profile',
      expected: '1 to 32 of a-z 0-9 _ -',
    });
  }
  if (issues.length > 0) {
    throw new StewardError('INVALID_ACTION_INPUT', 'The credential cannot be issued.', { issues });
  }
  return {
    scope: [...new Set(request.scope)],
    profile,
    actor: request.actor ?? DEFAULT_ACTOR,
    runId: request.runId ?? null,
    threadId: request.threadId ?? null,
    enabledSkills: request.enabledSkills ?? null,
  };
}

function scopeIssues(scope: string[]): InputIssue[] {
  if (scope.length < 1 || scope.length > MAX_SCOPE_PATTERNS) {
    const message = `must have 1 to ${MAX_SCOPE_PATTERNS} patterns`;
    return [{ path: 'scope', message, received: `${scope.length} patterns` }];
  }
  if (scope.join(' ').length > MAX_SCOPE_LENGTH) {
    return [{ path: 'scope', message: `is longer than ${MAX_SCOPE_LENGTH} characters` }];
  }
  return scope.flatMap((pattern, index) =>
    SCOPE_PATTERN.test(pattern)
      ? []
      : [
          {
            path: `scope.${index}`,
            message: 'is not a capability pattern',
            expected: '*, module.*, module.method or *.method',
          },
        ],
  );
}
