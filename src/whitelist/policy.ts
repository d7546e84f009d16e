import { isJsonObject } from '../common/json.js';
import type { InputIssue } from '../common/steward-error.js';
import { redactText } from '../tool-output/credential-scan.js';
import { nearest } from '../tool-router/input/nearest.js';

/** Patterns of capabilities: `*`, `module.*`, `*.method`, `module.method`. */
export interface ProfileRules extends NarrowingRules {
  allow: string[];
}

/** Roles and users only narrow: they have no `allow` (PROTOCOL §14). */
export interface NarrowingRules {
  deny: string[];
  /** What is allowed, but only with a person's approval; it grants nothing. */
  ask: string[];
}

/** The runtime whitelist as an admin writes it (PROTOCOL §14). */
export interface WhitelistDocument {
  profiles: Record<string, ProfileRules>;
  roles: Record<string, NarrowingRules>;
  users: Record<string, NarrowingRules>;
}

const PATTERN =
  /^(\*|[a-z][a-z0-9_]{0,63}\.\*|\*\.[a-z][a-z0-9_]{0,63}|[a-z][a-z0-9_]{0,63}\.[a-z][a-z0-9_]{0,63}|client\.[A-Za-z0-9_-]{1,64})$/;
/** Names of profiles, roles and users; never one that reaches a prototype. */
const NAME = /^(?!(?:constructor|prototype)$)[A-Za-z0-9][A-Za-z0-9_.:@-]{0,127}$/;
const NAME_EXPECTED = '1 to 128 of A-Z a-z 0-9 _ . : @ -, beginning with a letter or digit';
const MAX_SHOWN = 80;
const MAX_PATTERNS = 1000;
/** Profiles, roles or users that a whitelist may name. */
export const MAX_NAMES = 10_000;

const SECTIONS = ['profiles', 'roles', 'users'] as const;

/** A value of the document as it is shown in an issue: short, without credentials. */
function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = redactText(typeof value === 'string' ? value : JSON.stringify(value));
  const characters = [...text];
  return characters.length > MAX_SHOWN ? `${characters.slice(0, MAX_SHOWN).join('')}…` : text;
}

function checkPatterns(value: unknown, path: string, issues: InputIssue[]): string[] {
  if (!Array.isArray(value) || value.length > MAX_PATTERNS) {
    issues.push({
      path,
      message: `Must be a list of at most ${MAX_PATTERNS} patterns.`,
      expected: 'array',
    });
    return [];
  }
  return value.filter((pattern, index): pattern is string => {
    if (typeof pattern === 'string' && PATTERN.test(pattern)) return true;
    issues.push({
      path: `${path}.${index}`,
      message: 'Is no pattern of capabilities.',
      expected: '*, module.*, *.method or module.method',
      received: shown(pattern),
    });
    return false;
  });
}

type RuleKey = keyof ProfileRules;
const NARROWING: readonly RuleKey[] = ['deny', 'ask'];
const GRANTING: readonly RuleKey[] = ['allow', ...NARROWING];

function checkRules(
  value: unknown,
  path: string,
  keys: readonly RuleKey[],
  issues: InputIssue[],
): ProfileRules {
  const rules: ProfileRules = { allow: [], deny: [], ask: [] };
  if (!isJsonObject(value)) {
    issues.push({
      path,
      message: `Must be an object with ${keys.join(' and ')}.`,
      expected: 'object',
      received: shown(value),
    });
    return rules;
  }
  for (const key of Object.keys(value)) {
    const known = keys.find((one) => one === key);
    if (known) {
      rules[known] = checkPatterns(value[known], `${path}.${known}`, issues);
    } else {
      const message =
        key === 'allow' ? 'Only profiles grant; roles and users narrow.' : unknownKey(key, keys);
      issues.push({ path: `${path}.${key}`, message, expected: keys.join(', ') });
    }
  }
  return rules;
}

function unknownKey(key: string, known: readonly string[]): string {
  const meant = nearest(key, known);
  return meant ? `Unknown key. Did you mean "${meant}"?` : 'Unknown key.';
}

function checkSection(
  document: Record<string, unknown>,
  section: (typeof SECTIONS)[number],
  issues: InputIssue[],
): Map<string, ProfileRules> {
  const value = Object.hasOwn(document, section) ? document[section] : undefined;
  if (value === undefined && section !== 'profiles') return new Map();
  if (!isJsonObject(value)) {
    const named = `Must be an object of rules by the name of a ${section.slice(0, -1)}.`;
    issues.push({ path: section, message: named, expected: 'object', received: shown(value) });
    return new Map();
  }
  const entries = Object.entries(value);
  if (entries.length > MAX_NAMES) {
    issues.push({ path: section, message: `May name at most ${MAX_NAMES}.` });
    return new Map();
  }
  const keys = section === 'profiles' ? GRANTING : NARROWING;
  return new Map(
    entries.map(([name, rules]) => {
      if (!NAME.test(name)) {
        issues.push({
          path: `${section}.${shown(name)}`,
          message: `Is not accepted as the name of a ${section.slice(0, -1)}.`,
          expected: NAME_EXPECTED,
          received: shown(name),
        });
      }
      return [name, checkRules(rules, `${section}.${name}`, keys, issues)];
    }),
  );
}

/**
 * Reads a document as it came over HTTP or out of the database. A key that is missing in a rule is
 * an empty list; unknown keys, bad names and bad patterns are faults. Pure.
 */
export function readWhitelist(
  value: unknown,
): { document: WhitelistDocument } | { issues: InputIssue[] } {
  if (!isJsonObject(value)) {
    const message = `Must be an object with ${SECTIONS.join(', ')}.`;
    return { issues: [{ path: '', message, expected: 'object', received: shown(value) }] };
  }
  const issues: InputIssue[] = [];
  for (const key of Object.keys(value)) {
    if (!SECTIONS.some((section) => section === key)) {
      issues.push({ path: key, message: unknownKey(key, SECTIONS), expected: SECTIONS.join(', ') });
    }
  }
  const profiles = checkSection(value, 'profiles', issues);
  const roles = checkSection(value, 'roles', issues);
  const users = checkSection(value, 'users', issues);
  if (issues.length > 0) return { issues };
  const narrowing = (section: Map<string, ProfileRules>): Record<string, NarrowingRules> =>
    Object.fromEntries([...section].map(([name, { deny, ask }]) => [name, { deny, ask }]));
  return {
    document: {
      profiles: Object.fromEntries(profiles),
      roles: narrowing(roles),
      users: narrowing(users),
    },
  };
}
