import type { Risk } from '../tool-router/capability.js';

/** How often a method may be called; what is absent is not limited. */
export interface CallLimits {
  /** In one run; calls outside of runs are not counted. */
  callsPerRun?: number;
  /** By everybody together, in a minute of the clock. */
  callsPerMinute?: number;
  /** By one user, in a minute of the clock. */
  callsPerUserPerMinute?: number;
  /** By one user, in a day of UTC. */
  callsPerUserPerDay?: number;
}

export type LimitName = keyof CallLimits;

/** In the order in which they are shown and counted. */
export const LIMIT_NAMES: readonly LimitName[] = [
  'callsPerRun',
  'callsPerMinute',
  'callsPerUserPerMinute',
  'callsPerUserPerDay',
];

/** What an admin decided about a capability; null is what its code says. */
export interface CapabilitySetting {
  enabled: boolean | null;
  risk: Risk | null;
  requiresApproval: boolean | null;
  limits: CallLimits;
}

/** The setting of a capability about which nobody decided anything. */
export const NO_SETTING: CapabilitySetting = {
  enabled: null,
  risk: null,
  requiresApproval: null,
  limits: {},
};

/** Settings by capability id; in a map, so that `__proto__` is a name like any other. */
export type SettingsById = ReadonlyMap<string, CapabilitySetting>;

/** A change as an admin writes it: absent leaves as it is, null goes back to the code's default. */
export interface SettingChange {
  enabled?: boolean | null;
  risk?: Risk | null;
  requiresApproval?: boolean | null;
  limits?: { [name in LimitName]?: number | null } | null;
}

/** The setting after a change. Pure. */
export function applyChange(before: CapabilitySetting, change: SettingChange): CapabilitySetting {
  const { enabled, risk, requiresApproval, limits } = change;
  return {
    enabled: enabled === undefined ? before.enabled : enabled,
    risk: risk === undefined ? before.risk : risk,
    requiresApproval: requiresApproval === undefined ? before.requiresApproval : requiresApproval,
    limits: limits === null ? {} : mergedLimits(before.limits, limits ?? {}),
  };
}

function mergedLimits(
  before: CallLimits,
  changes: { [name in LimitName]?: number | null },
): CallLimits {
  const merged: CallLimits = {};
  for (const name of LIMIT_NAMES) {
    const limit = changes[name] === undefined ? before[name] : changes[name];
    if (limit !== undefined && limit !== null) merged[name] = limit;
  }
  return merged;
}

/** Whether a setting decides nothing, as if there were none. Pure. */
export function isEmptySetting({
  enabled,
  risk,
  requiresApproval,
  limits,
}: CapabilitySetting): boolean {
  const decided = [enabled, risk, requiresApproval].some((value) => value !== null);
  return !decided && Object.keys(limits).length === 0;
}
