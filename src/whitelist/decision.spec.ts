import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import {
  compileWhitelist,
  denyAll,
  type WhitelistDecision,
  type WhitelistEffect,
  type WhitelistSubject,
} from './decision.js';
import type { WhitelistDocument } from './policy.js';

const chat = { profile: 'chat', roles: ['user'], userId: 'usr_1' };

type Lists = { allow?: string[]; deny?: string[]; ask?: string[] };
type Draft = { [section in keyof WhitelistDocument]?: Record<string, Lists> };

/** A policy of which only what matters is written. */
function policy({ profiles = {}, roles = {}, users = {} }: Draft): WhitelistDocument {
  const filled = (section: Record<string, Lists>): WhitelistDocument['profiles'] =>
    Object.fromEntries(
      Object.entries(section).map(([name, { allow = [], deny = [], ask = [] }]) => [
        name,
        { allow, deny, ask },
      ]),
    );
  return { profiles: filled(profiles), roles: filled(roles), users: filled(users) };
}

function decide(draft: Draft): (id: string, subject?: WhitelistSubject) => WhitelistDecision {
  const decision = compileWhitelist(policy(draft));
  return (id, subject = chat) => decision(subject, id);
}

describe('the decision', () => {
  it('grants by profile, in each form of pattern', () => {
    for (const pattern of ['*', 'calendar.*', '*.read', 'calendar.read']) {
      const decision = decide({ profiles: { chat: { allow: [pattern] } } });
      const rule = `profiles.chat.allow ${pattern}`;
      expect(decision('calendar.read')).toEqual({ effect: 'allow', rule });
    }
  });

  it('lets deny win over ask, and ask over allow, wherever they stand', () => {
    const decision = decide({
      profiles: { chat: { allow: ['*'], deny: ['memory.update'], ask: ['*.share'] } },
      roles: { user: { deny: ['*.delete'], ask: ['calendar.*'] } },
      users: { usr_1: { deny: ['contacts.*'], ask: ['notes.write', 'contacts.read'] } },
    });
    expect(decision('memory.update').rule).toBe('profiles.chat.deny memory.update');
    expect(decision('calendar.delete').rule).toBe('roles.user.deny *.delete');
    expect(decision('contacts.read').rule).toBe('users.usr_1.deny contacts.*');
    expect(decision('notes.share')).toEqual({ effect: 'ask', rule: 'profiles.chat.ask *.share' });
    expect(decision('calendar.read')).toEqual({ effect: 'ask', rule: 'roles.user.ask calendar.*' });
    expect(decision('notes.write').rule).toBe('users.usr_1.ask notes.write');
    expect(decision('notes.read').effect).toBe('allow');
  });

  it('denies what is asked for and not allowed', () => {
    expect(decide({ profiles: { chat: { ask: ['*'] } } })('a.b').effect).toBe('deny');
    expect(decide({ users: { usr_1: { ask: ['*'] } } })('a.b').effect).toBe('deny');
  });

  it('denies what nothing allows, unknown profiles, empty policies and names of prototypes', () => {
    expect(decide({})('calendar.read').effect).toBe('deny');
    expect(decide({ profiles: { chat: {} } })('a.b').effect).toBe('deny');
    const open = decide({ profiles: { chat: { allow: ['*'] } } });
    for (const profile of ['automation', '__proto__', 'constructor', 'toString', '']) {
      expect(open('calendar.read', { ...chat, profile }).effect).toBe('deny');
    }
    for (const id of ['__proto__', 'constructor', 'calendar', 'calendar.', '.read', '*', 'a.b.c']) {
      expect(open(id).effect).toBe('deny');
    }
    expect(denyAll(chat, 'help.methods').effect).toBe('deny');
  });
});

describe('every policy', () => {
  const pattern = fc.constantFrom('*', 'a.*', 'b.*', '*.x', '*.y', 'a.x', 'a.y', 'b.x');
  const patterns = fc.array(pattern, { maxLength: 4 });
  const lists = fc.record({ allow: patterns, deny: patterns, ask: patterns });
  const documents = fc.record({
    profiles: fc.dictionary(fc.constantFrom('p', 'q'), lists),
    roles: fc.dictionary(fc.constantFrom('r', 's'), lists),
    users: fc.dictionary(fc.constantFrom('u', 'v'), lists),
  });
  const subjects = fc.record({
    profile: fc.constantFrom('p', 'q', 'none'),
    roles: fc.subarray(['r', 's', 't']),
    userId: fc.constantFrom('u', 'v', 'w'),
  });
  const ids = fc.constantFrom('a.x', 'a.y', 'b.x', 'b.y', 'c.z');
  const freedom: Record<WhitelistEffect, number> = { deny: 0, ask: 1, allow: 2 };

  it.each(['deny', 'ask'] as const)('never lets more through after a %s was added', (key) => {
    const sections = fc.constantFrom('profiles', 'roles', 'users');
    fc.assert(
      fc.property(
        documents,
        subjects,
        ids,
        pattern,
        sections,
        (document, subject, id, added, at) => {
          const before = compileWhitelist(document)(subject, id).effect;
          const name = { profiles: subject.profile, roles: 'r', users: subject.userId }[at];
          const rules = document[at][name] ?? { allow: [], deny: [], ask: [] };
          const narrowed = {
            ...document,
            [at]: { ...document[at], [name]: { ...rules, [key]: [...rules[key], added] } },
          };
          const after = compileWhitelist(narrowed)(subject, id).effect;
          expect(freedom[after]).toBeLessThanOrEqual(freedom[before]);
          if (key === 'ask') expect(after === 'deny').toBe(before === 'deny');
        },
      ),
    );
  });

  it('lets nothing through without an allow of the profile, whatever roles and users say', () => {
    fc.assert(
      fc.property(documents, subjects, ids, (document, subject, id) => {
        const { [subject.profile]: rules } = document.profiles;
        if (rules && rules.allow.length > 0) return;
        expect(compileWhitelist(document)(subject, id).effect).toBe('deny');
      }),
    );
  });

  it('does not depend on the order of its rules', () => {
    const reversed = (section: WhitelistDocument['profiles']): WhitelistDocument['profiles'] =>
      Object.fromEntries(
        Object.entries(section)
          .toReversed()
          .map(([name, { allow, deny, ask }]) => [
            name,
            { allow: allow.toReversed(), deny: deny.toReversed(), ask: ask.toReversed() },
          ]),
      );
    fc.assert(
      fc.property(documents, subjects, ids, ({ profiles, roles, users }, subject, id) => {
        const turned = {
          profiles: reversed(profiles),
          roles: reversed(roles),
          users: reversed(users),
        };
        expect(compileWhitelist(turned)(subject, id)).toEqual(
          compileWhitelist({ profiles, roles, users })(subject, id),
        );
      }),
    );
  });
});
