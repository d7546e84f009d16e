import type { WhitelistDocument } from './policy.js';

/** Who calls: the credential's profile, the user and the user's roles. */
export interface WhitelistSubject {
  profile: string;
  roles: readonly string[];
  userId: string;
}

/** The answer, and the rule that gave it: `profiles.chat.allow calendar.*`. */
export interface WhitelistDecision {
  allowed: boolean;
  rule: string;
}

/** Decides for one version of the policy; costs no query and no parsing. */
export type Decide = (subject: WhitelistSubject, capabilityId: string) => WhitelistDecision;

const CAPABILITY = /^([a-z][a-z0-9_]*)\.([a-z][a-z0-9_]*)$/;

/** The patterns that could name a capability, most general first. */
function candidates(capabilityId: string): string[] | null {
  const [, module, method] = CAPABILITY.exec(capabilityId) ?? [];
  if (module === undefined || method === undefined) return null;
  return ['*', `${module}.*`, `*.${method}`, capabilityId];
}

type Rules = ReadonlyMap<string, ReadonlySet<string>>;

function compile(
  section: Record<string, { allow?: string[]; deny: string[] }>,
  key: 'allow' | 'deny',
): Rules {
  return new Map(
    Object.entries(section).map(([name, rules]) => [name, new Set<string>(rules[key] ?? [])]),
  );
}

/** Denies everything: what holds while there is no readable policy (PROTOCOL §14). */
export const denyAll: Decide = () => ({ allowed: false, rule: 'no readable policy' });

/**
 * Compiles a policy into its decision. Deny wins; profiles grant, roles and users only narrow; what
 * nothing allows is denied. Names are looked up in maps, so `__proto__` is nobody's profile. Pure.
 */
export function compileWhitelist(document: WhitelistDocument): Decide {
  const allow = compile(document.profiles, 'allow');
  const denyByProfile = compile(document.profiles, 'deny');
  const denyByRole = compile(document.roles, 'deny');
  const denyByUser = compile(document.users, 'deny');
  return ({ profile, roles, userId }, capabilityId) => {
    const patterns = candidates(capabilityId);
    if (!patterns) return { allowed: false, rule: 'no capability id' };
    const match = (rules: Rules, name: string): string | undefined => {
      const set = rules.get(name);
      return set && patterns.find((pattern) => set.has(pattern));
    };
    const denials: [string, Rules, readonly string[]][] = [
      ['profiles', denyByProfile, [profile]],
      ['roles', denyByRole, roles],
      ['users', denyByUser, [userId]],
    ];
    for (const [section, rules, names] of denials) {
      for (const name of names) {
        const pattern = match(rules, name);
        if (pattern) return { allowed: false, rule: `${section}.${name}.deny ${pattern}` };
      }
    }
    const granted = match(allow, profile);
    return granted
      ? { allowed: true, rule: `profiles.${profile}.allow ${granted}` }
      : { allowed: false, rule: 'nothing allows it' };
  };
}
