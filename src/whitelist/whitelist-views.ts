import type { ExplainResponse, WhitelistVersionDto } from './dto/whitelist-admin.dto.js';
import type { WhitelistDto } from './dto/whitelist.dto.js';
import type { Explanation } from './whitelist-explain.service.js';
import type { VersionSummary } from './whitelist.repository.js';
import type { WhitelistState } from './whitelist.service.js';

/** A policy as it is shown and sent back. */
export function policyView({ version, document }: WhitelistState): WhitelistDto {
  const { profiles, roles, users } = document;
  return { version, profiles: { ...profiles }, roles: { ...roles }, users: { ...users } };
}

/** A version in the list. */
export function versionView(row: VersionSummary): WhitelistVersionDto {
  const { version, createdBy, createdAt, restoredFrom, added, removed } = row;
  const changes = added === null || removed === null ? null : { added, removed };
  return { version, createdBy, createdAt: createdAt.toISOString(), restoredFrom, changes };
}

/** @param withSteps for one method; a matrix says what decided. */
export function explanationView(
  { caller, disabled, decisions }: Explanation,
  withSteps: boolean,
): ExplainResponse {
  const { userId, profile, roles, scope } = caller;
  return {
    userId,
    profile,
    roles: [...roles],
    scope: [...scope],
    disabled,
    capabilities: decisions.map(({ id, decision: { effect, code, rule, steps } }) => ({
      capability: id,
      effect,
      code,
      rule,
      ...(withSteps && { steps }),
    })),
  };
}
