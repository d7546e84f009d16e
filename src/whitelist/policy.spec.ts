import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { compileWhitelist, denyAll } from './decision.js';
import { DEFAULT_WHITELIST } from './default-policy.js';
import { readWhitelist, type WhitelistDocument } from './policy.js';

const chat = { profile: 'chat', roles: ['user'], userId: 'usr_1' };

function decide(document: Partial<WhitelistDocument>) {
  const decision = compileWhitelist({ profiles: {}, roles: {}, users: {}, ...document });
  return (id: string, subject = chat) => decision(subject, id);
}

describe('the decision', () => {
  it('grants by profile, in each form of pattern', () => {
    for (const pattern of ['*', 'calendar.*', '*.read', 'calendar.read']) {
      const decision = decide({ profiles: { chat: { allow: [pattern], deny: [] } } });
      expect(decision('calendar.read')).toEqual({
        allowed: true,
        rule: `profiles.chat.allow ${pattern}`,
      });
    }
  });

  it('lets deny win, wherever it stands', () => {
    const profiles = { chat: { allow: ['*'], deny: ['memory.update'] } };
    const decision = decide({
      profiles,
      roles: { user: { deny: ['*.delete'] } },
      users: { usr_1: { deny: ['contacts.*'] } },
    });
    expect(decision('memory.update').rule).toBe('profiles.chat.deny memory.update');
    expect(decision('calendar.delete').rule).toBe('roles.user.deny *.delete');
    expect(decision('contacts.read').rule).toBe('users.usr_1.deny contacts.*');
    expect(decision('calendar.read').allowed).toBe(true);
  });

  it('denies what nothing allows, unknown profiles, empty policies and names of prototypes', () => {
    expect(decide({})('calendar.read').allowed).toBe(false);
    expect(decide({ profiles: { chat: { allow: [], deny: [] } } })('a.b').allowed).toBe(false);
    const open = decide({ profiles: { chat: { allow: ['*'], deny: [] } } });
    for (const profile of ['automation', '__proto__', 'constructor', 'toString', '']) {
      expect(open('calendar.read', { ...chat, profile }).allowed).toBe(false);
    }
    for (const id of ['__proto__', 'constructor', 'calendar', 'calendar.', '.read', '*', 'a.b.c']) {
      expect(open(id).allowed).toBe(false);
    }
    expect(denyAll(chat, 'help.methods').allowed).toBe(false);
  });

  const pattern = fc.constantFrom('*', 'a.*', 'b.*', '*.x', '*.y', 'a.x', 'a.y', 'b.x');
  const patterns = fc.array(pattern, { maxLength: 4 });
  const deny = fc.record({ deny: patterns });
  const documents = fc.record({
    profiles: fc.dictionary(
      fc.constantFrom('p', 'q'),
      fc.record({ allow: patterns, deny: patterns }),
    ),
    roles: fc.dictionary(fc.constantFrom('r', 's'), deny),
    users: fc.dictionary(fc.constantFrom('u', 'v'), deny),
  });
  const subjects = fc.record({
    profile: fc.constantFrom('p', 'q', 'none'),
    roles: fc.subarray(['r', 's', 't']),
    userId: fc.constantFrom('u', 'v', 'w'),
  });
  const ids = fc.constantFrom('a.x', 'a.y', 'b.x', 'b.y', 'c.z');

  it('never allows more after a deny was added', () => {
    fc.assert(
      fc.property(
        documents,
        subjects,
        ids,
        pattern,
        fc.constantFrom('profiles', 'roles', 'users'),
        (document, subject, id, added, section) => {
          const before = compileWhitelist(document)(subject, id).allowed;
          const name = { profiles: subject.profile, roles: 'r', users: subject.userId }[section];
          const rules = document[section][name] ?? { allow: [], deny: [] };
          const narrowed = {
            ...document,
            [section]: {
              ...document[section],
              [name]: { ...rules, deny: [...rules.deny, added] },
            },
          };
          const after = compileWhitelist(narrowed)(subject, id).allowed;
          if (!before) expect(after).toBe(false);
        },
      ),
    );
  });

  it('allows nothing without a rule of the profile', () => {
    fc.assert(
      fc.property(documents, subjects, ids, (document, subject, id) => {
        const allow = Object.hasOwn(document.profiles, subject.profile)
          ? (document.profiles[subject.profile]?.allow ?? [])
          : [];
        if (allow.length === 0) expect(compileWhitelist(document)(subject, id).allowed).toBe(false);
      }),
    );
  });

  it('does not depend on the order of rules', () => {
    fc.assert(
      fc.property(documents, subjects, ids, (document, subject, id) => {
        const reversed = {
          ...document,
          profiles: Object.fromEntries(
            Object.entries(document.profiles).map(([name, rules]) => [
              name,
              { allow: rules.allow.toReversed(), deny: rules.deny.toReversed() },
            ]),
          ),
        };
        expect(compileWhitelist(reversed)(subject, id)).toEqual(
          compileWhitelist(document)(subject, id),
        );
      }),
    );
  });
});

describe('the default policy', () => {
  it('is valid, and grants what its profiles are for', () => {
    expect(readWhitelist(DEFAULT_WHITELIST)).toEqual({ document: DEFAULT_WHITELIST });
    const decision = compileWhitelist(DEFAULT_WHITELIST);
    expect(decision(chat, 'calendar.create').allowed).toBe(true);
    const guest = { ...chat, roles: ['guest'] };
    expect(decision(guest, 'calendar.delete').allowed).toBe(false);
    const automation = { ...chat, profile: 'automation' };
    expect(decision(automation, 'calendar.read').allowed).toBe(true);
    expect(decision(automation, 'calendar.create').allowed).toBe(false);
    expect(decision({ ...chat, profile: 'other' }, 'help.methods').allowed).toBe(false);
  });
});

describe('readWhitelist', () => {
  it('fills in missing lists and sections', () => {
    expect(readWhitelist({ profiles: { chat: { allow: ['a.*'] } } })).toEqual({
      document: { profiles: { chat: { allow: ['a.*'], deny: [] } }, roles: {}, users: {} },
    });
  });

  it.each<[string, unknown, string]>([
    ['null', null, ''],
    ['a list', [], ''],
    ['no profiles', {}, 'profiles'],
    ['an unknown key', { profiles: {}, groups: {} }, 'groups'],
    ['profiles that are a list', { profiles: [] }, 'profiles'],
    ['rules that are a list', { profiles: { chat: [] } }, 'profiles.chat'],
    ['a rule that is a string', { profiles: { chat: { allow: '*' } } }, 'profiles.chat.allow'],
    ['a bad pattern', { profiles: { chat: { allow: ['a.*', 'a.b.c'] } } }, 'profiles.chat.allow.1'],
    ['an upper-case pattern', { profiles: { chat: { allow: ['A.*'] } } }, 'profiles.chat.allow.0'],
    ['an unknown rule', { profiles: { chat: { alow: [] } } }, 'profiles.chat.alow'],
    ['a role that grants', { profiles: {}, roles: { user: { allow: ['*'] } } }, 'roles.user.allow'],
    ['__proto__', JSON.parse('{"profiles":{"__proto__":{"allow":["*"]}}}'), 'profiles.__proto__'],
    ['constructor', { profiles: { constructor: { allow: ['*'] } } }, 'profiles.constructor'],
  ])('refuses %s', (_name, document, path) => {
    const read = readWhitelist(document);
    expect('issues' in read && read.issues.map((issue) => issue.path)).toContain(path);
  });

  it.each([
    [{ profiles: {}, users: { 'usr 1!': { deny: [] } } }, 'users.usr 1!', /name of a user/],
    [{ profiles: {}, roles: { constructor: { deny: [] } } }, 'roles.constructor', /name of a role/],
    [{ profiles: { chat: { allow: ['Calendar'] } } }, 'profiles.chat.allow.0', /no pattern/],
    [{ profiles: { chat: { allow: '*' } } }, 'profiles.chat.allow', /a list/],
    [{ profiles: { chat: { permit: [] } } }, 'profiles.chat.permit', /Unknown key/],
    [{ profiles: {}, users: { usr_1: { allow: ['*'] } } }, 'users.usr_1.allow', /narrow/],
    [{ profiles: {}, users: { usr_1: [] } }, 'users.usr_1', /object with deny/],
    [{ profiles: [] }, 'profiles', /name of a profile/],
    [[], '', /profiles, roles, users/],
  ])('names the place in %j and what is accepted there', (document, path, message) => {
    const read = readWhitelist(document);
    const issue = 'issues' in read ? read.issues.find((one) => one.path === path) : undefined;
    expect(issue?.message).toMatch(message);
    expect(issue?.expected).toBeTruthy();
  });
});
