import { CLIENT_MODULE } from '../common/capability-id.js';
import type { InputIssue } from '../common/steward-error.js';
import { nearest } from '../tool-router/input/nearest.js';
import { patternsOf, type PlacedPattern } from './policy-changes.js';
import type { WhitelistDocument } from './policy.js';

/** Names of the capabilities that are registered. */
export interface KnownNames {
  modules: ReadonlySet<string>;
  methods: ReadonlySet<string>;
  ids: ReadonlySet<string>;
}

export function namesOf(capabilities: readonly { module: string; method: string }[]): KnownNames {
  return {
    modules: new Set(capabilities.map(({ module }) => module)),
    methods: new Set(capabilities.map(({ method }) => method)),
    ids: new Set(capabilities.map(({ module, method }) => `${module}.${method}`)),
  };
}

/** Rules of a policy that name a module or method that no capability has. Pure. */
export function unknownPatterns(document: WhitelistDocument, known: KnownNames): PlacedPattern[] {
  return patternsOf(document).filter(({ pattern }) => !isKnown(pattern, known));
}

/** Says which module or method of a rule does not exist, and what was probably meant. Pure. */
export function unknownIssue({ path, pattern }: PlacedPattern, known: KnownNames): InputIssue {
  const meant = meantBy(pattern, known);
  const hint = meant === undefined ? '' : `; did you mean ${meant}?`;
  return {
    path,
    message: `No capability is named by ${pattern}${hint}`,
    expected: meant ?? 'the name of a registered module or method',
    received: pattern,
  };
}

function isKnown(pattern: string, { modules, methods, ids }: KnownNames): boolean {
  const [module = '', method = ''] = pattern.split('.');
  if (pattern === '*') return true;
  // What tools clients bring is not known before they do.
  if (module === CLIENT_MODULE) return true;
  if (module === '*') return methods.has(method);
  return method === '*' ? modules.has(module) : ids.has(pattern);
}

function meantBy(pattern: string, { modules, methods, ids }: KnownNames): string | undefined {
  const [module = '', method = ''] = pattern.split('.');
  if (module === '*') return prefixed('*.', nearest(method, [...methods]));
  if (method === '*') {
    const near = nearest(module, [...modules]);
    return near === undefined ? undefined : `${near}.*`;
  }
  const siblings = [...ids].filter((id) => id.startsWith(`${module}.`));
  const near = nearest(
    method,
    siblings.map((id) => id.slice(module.length + 1)),
  );
  return near === undefined ? nearest(pattern, [...ids]) : `${module}.${near}`;
}

const prefixed = (prefix: string, name: string | undefined): string | undefined =>
  name === undefined ? undefined : `${prefix}${name}`;
