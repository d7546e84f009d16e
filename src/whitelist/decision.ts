import { readCapabilityId } from '../common/capability-id.js';
import type { WhitelistDocument } from './policy.js';

/** Who calls: the credential's profile, the user and the user's roles. */
export interface WhitelistSubject {
  profile: string;
  roles: readonly string[];
  userId: string;
}

/** `ask` is `allow` with a condition: the call waits for a person's approval. */
export type WhitelistEffect = 'allow' | 'ask' | 'deny';

/** The answer, and the rule that gave it: `profiles.chat.allow calendar.*`. */
export interface WhitelistDecision {
  effect: WhitelistEffect;
  rule: string;
  /** Nobody knows which policy is in force, so what it allows is denied, too; it passes. */
  unknown?: true;
}

/** Decides for one version of the policy; costs no query and no parsing. */
export type Decide = (subject: WhitelistSubject, capabilityId: string) => WhitelistDecision;

/** The patterns that could name a capability, most general first. */
function candidates(capabilityId: string): string[] | null {
  const named = readCapabilityId(capabilityId);
  return named && ['*', `${named.module}.*`, `*.${named.method}`, capabilityId];
}

type Section = 'profiles' | 'roles' | 'users';
type RuleKey = 'allow' | 'ask' | 'deny';
type Rules = ReadonlyMap<string, ReadonlySet<string>>;

function compile(document: WhitelistDocument, section: Section, key: RuleKey): Rules {
  const entries = Object.entries<Partial<Record<RuleKey, string[]>>>(document[section]);
  return new Map(entries.map(([name, rules]) => [name, new Set(rules[key] ?? [])]));
}

/** Denies everything: what holds while there is no readable policy (PROTOCOL §14). */
export const denyAll: Decide = () => ({ effect: 'deny', rule: 'no readable policy' });

/** Denies everything while nobody knows which policy is in force. */
export const denyUnknown: Decide = () => ({
  effect: 'deny',
  rule: 'the policy in force is not known',
  unknown: true,
});

/**
 * Compiles a policy into its decision. Deny wins over ask, ask over allow; profiles grant, roles and
 * users only narrow; what nothing allows is denied, also where something asks. Names are looked up
 * in maps, so `__proto__` is nobody's profile. Pure.
 */
export function compileWhitelist(document: WhitelistDocument): Decide {
  const of = (key: RuleKey): Record<Section, Rules> => ({
    profiles: compile(document, 'profiles', key),
    roles: compile(document, 'roles', key),
    users: compile(document, 'users', key),
  });
  const rules = { allow: of('allow'), ask: of('ask'), deny: of('deny') };
  return ({ profile, roles, userId }, capabilityId) => {
    const patterns = candidates(capabilityId);
    if (!patterns) return { effect: 'deny', rule: 'no capability id' };
    const names = { profiles: [profile], roles, users: [userId] };
    const find = (key: RuleKey, section: Section): string | null => {
      for (const name of names[section]) {
        const set = rules[key][section].get(name);
        const pattern = set && patterns.find((one) => set.has(one));
        if (pattern !== undefined) return `${section}.${name}.${key} ${pattern}`;
      }
      return null;
    };
    const denied = find('deny', 'profiles') ?? find('deny', 'roles') ?? find('deny', 'users');
    if (denied !== null) return { effect: 'deny', rule: denied };
    const granted = find('allow', 'profiles');
    if (granted === null) return { effect: 'deny', rule: 'nothing allows it' };
    // The narrowest names itself: an "always allow" answers one rule, not a narrower one of later.
    const asked = find('ask', 'users') ?? find('ask', 'roles') ?? find('ask', 'profiles');
    return asked === null ? { effect: 'allow', rule: granted } : { effect: 'ask', rule: asked };
  };
}
