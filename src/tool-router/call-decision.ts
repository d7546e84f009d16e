import type { ErrorCode } from '../common/error-codes.js';
import type { CapabilitySetting } from '../capabilities/capability-setting.js';
import { LIMIT_NAMES } from '../capabilities/capability-setting.js';
import type { CapabilityDescriptor } from './capability.js';
import { scopeAllows } from '../credential/scope.js';
import type { WhitelistDecision, WhitelistEffect } from '../whitelist/decision.js';

/** What is asked of a call, in this order (PROTOCOL §14). */
export const DECISION_STEPS = [
  'registered',
  'enabled',
  'whitelist',
  'scope',
  'approval',
  'limits',
] as const;
export type DecisionStepName = (typeof DECISION_STEPS)[number];

/** The answer of one step, and the rule that gave it. */
export interface DecisionStep {
  step: DecisionStepName;
  effect: WhitelistEffect;
  rule: string;
}

/** Whether a call may be made, and why. */
export interface CallDecision {
  /** The first `deny` of the steps, else the first `ask`, else `allow`. */
  effect: WhitelistEffect;
  /** Code with which the call is refused; null unless it is denied. */
  code: ErrorCode | null;
  /** Rule of the step that decided; of what is allowed, the one of the whitelist. */
  rule: string;
  steps: DecisionStep[];
}

/** What a capability's code says about approval. */
export type ApprovalTerms = Pick<CapabilityDescriptor, 'requiresApproval' | 'standingApproval'>;

/** What a decision depends on. */
export interface DecisionFacts {
  /** `module.method` */
  id: string;
  /** What is registered under the id; null for nothing. */
  capability: ({ enabled: boolean } & ApprovalTerms) | null;
  /** Whether the module exists, for the code of what is not registered. */
  moduleExists: boolean;
  /** What admins decided; null while nobody knows. */
  setting: CapabilitySetting | null;
  whitelist: WhitelistDecision;
  scope: readonly string[];
}

/** The rule of a capability that asks by itself. */
export const CAPABILITY_ASKS = 'capability requires approval';

/**
 * The one decision on a call: registered ∧ enabled ∧ allowed ∧ not denied ∧ in scope, and whether a
 * person must approve it. Guard, listing, help, explain and suggestions all come from here. How
 * often something has been called is counted when it is; here the limits are only named. Pure.
 */
export function decideCall(facts: DecisionFacts): CallDecision {
  const { whitelist } = facts;
  const steps: DecisionStep[] = [
    registered(facts),
    enabled(facts),
    { step: 'whitelist', ...whitelist },
    inScope(facts),
    approval(facts),
    { step: 'limits', effect: 'allow', rule: limitsRule(facts.setting) },
  ];
  const denied = steps.find(({ effect }) => effect === 'deny');
  if (denied) {
    return { effect: 'deny', code: codeOf(denied.step, facts), rule: denied.rule, steps };
  }
  const asked = steps.find(({ effect }) => effect === 'ask');
  return asked
    ? { effect: 'ask', code: null, rule: asked.rule, steps }
    : { effect: 'allow', code: null, rule: whitelist.rule, steps };
}

function registered({ capability }: DecisionFacts): DecisionStep {
  return capability
    ? { step: 'registered', effect: 'allow', rule: 'registered' }
    : { step: 'registered', effect: 'deny', rule: 'not registered' };
}

function enabled({ capability, setting }: DecisionFacts): DecisionStep {
  const step = 'enabled';
  if (!setting) return { step, effect: 'deny', rule: 'no readable capability settings' };
  if (capability?.enabled === false) {
    return { step, effect: 'deny', rule: 'switched off by its provider' };
  }
  if (setting.enabled === null) return { step, effect: 'allow', rule: 'enabled by default' };
  return setting.enabled
    ? { step, effect: 'allow', rule: 'capability settings: enabled' }
    : { step, effect: 'deny', rule: 'capability settings: disabled' };
}

function inScope({ id, scope }: DecisionFacts): DecisionStep {
  return scopeAllows(scope, id)
    ? { step: 'scope', effect: 'allow', rule: 'in the scope of the credential' }
    : { step: 'scope', effect: 'deny', rule: 'outside of the scope of the credential' };
}

function approval({ capability, setting }: DecisionFacts): DecisionStep {
  return capability && needsApproval(capability, setting)
    ? { step: 'approval', effect: 'ask', rule: CAPABILITY_ASKS }
    : { step: 'approval', effect: 'allow', rule: 'the capability requires no approval' };
}

/** Whether the code insists: an admin can make every other method stricter or looser. Pure. */
export function insistsOnApproval({ requiresApproval, standingApproval }: ApprovalTerms): boolean {
  return requiresApproval && standingApproval === false;
}

/** Whether every call of a capability waits for a person, by its code or an admin's decision. Pure. */
export function needsApproval(terms: ApprovalTerms, setting: CapabilitySetting | null): boolean {
  return insistsOnApproval(terms) || (setting?.requiresApproval ?? terms.requiresApproval);
}

function limitsRule(setting: CapabilitySetting | null): string {
  const limits = LIMIT_NAMES.flatMap((name) => {
    const limit = setting?.limits[name];
    return limit === undefined ? [] : [`${name} ${limit}`];
  });
  return limits.length === 0 ? 'no limits' : limits.join(', ');
}

function codeOf(
  step: DecisionStepName,
  { moduleExists, setting, whitelist }: DecisionFacts,
): ErrorCode {
  switch (step) {
    case 'registered':
      return moduleExists ? 'METHOD_NOT_FOUND' : 'MODULE_NOT_FOUND';
    case 'enabled':
      return setting ? 'METHOD_DISABLED' : 'DEPENDENCY_UNAVAILABLE';
    case 'whitelist':
      return whitelist.unknown ? 'DEPENDENCY_UNAVAILABLE' : 'METHOD_NOT_ALLOWED';
    case 'scope':
      return 'SCOPE_EXCEEDED';
    default:
      return 'METHOD_NOT_ALLOWED';
  }
}
