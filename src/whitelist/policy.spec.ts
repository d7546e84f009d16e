import { describe, expect, it } from '@jest/globals';
import { compileWhitelist } from './decision.js';
import { DEFAULT_WHITELIST } from './default-policy.js';
import { readWhitelist } from './policy.js';

const chat = { profile: 'chat', roles: ['user'], userId: 'usr_1' };

describe('the default policy', () => {
  it('is valid, and grants what its profiles are for', () => {
    expect(readWhitelist(DEFAULT_WHITELIST)).toEqual({ document: DEFAULT_WHITELIST });
    const decision = compileWhitelist(DEFAULT_WHITELIST);
    expect(decision(chat, 'calendar.create').effect).toBe('allow');
    const guest = { ...chat, roles: ['guest'] };
    expect(decision(guest, 'calendar.delete').effect).toBe('deny');
    const automation = { ...chat, profile: 'automation' };
    expect(decision(automation, 'calendar.read').effect).toBe('allow');
    expect(decision(automation, 'calendar.create').effect).toBe('deny');
    expect(decision({ ...chat, profile: 'other' }, 'help.methods').effect).toBe('deny');
  });
});

describe('readWhitelist', () => {
  it('fills in missing lists and sections', () => {
    const roles = { user: { ask: ['*.delete'] } };
    expect(readWhitelist({ profiles: { chat: { allow: ['a.*'] } }, roles })).toEqual({
      document: {
        profiles: { chat: { allow: ['a.*'], deny: [], ask: [] } },
        roles: { user: { deny: [], ask: ['*.delete'] } },
        users: {},
      },
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
    ['a bad ask', { profiles: {}, users: { u: { ask: ['a'] } } }, 'users.u.ask.0'],
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
    [{ profiles: { chat: { alow: [] } } }, 'profiles.chat.alow', /Did you mean "allow"\?/],
    [{ profile: {}, profiles: {} }, 'profile', /Did you mean "profiles"\?/],
    [{ profiles: {}, users: { usr_1: { allow: ['*'] } } }, 'users.usr_1.allow', /narrow/],
    [{ profiles: {}, users: { usr_1: [] } }, 'users.usr_1', /object with deny and ask/],
    [{ profiles: [] }, 'profiles', /name of a profile/],
    [[], '', /profiles, roles, users/],
  ])('names the place in %j and what is accepted there', (document, path, message) => {
    const read = readWhitelist(document);
    const issue = 'issues' in read ? read.issues.find((one) => one.path === path) : undefined;
    expect(issue?.message).toMatch(message);
    expect(issue?.expected).toBeTruthy();
  });
});
