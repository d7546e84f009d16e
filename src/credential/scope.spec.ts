import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { SCOPE_PATTERN, scopeAllows } from './scope.js';

const name = fc.stringMatching(/^[a-z][a-z0-9_]{0,11}$/);
const pattern = fc.oneof(
  fc.constant('*'),
  name.map((module) => `${module}.*`),
  name.map((method) => `*.${method}`),
  fc.tuple(name, name).map((parts) => parts.join('.')),
);

describe('scopeAllows', () => {
  it.each([
    ['*', 'calendar.read', true],
    ['calendar.*', 'calendar.read', true],
    ['calendar.*', 'calendars.read', false],
    ['calendar.read', 'calendar.read', true],
    ['calendar.read', 'calendar.read_all', false],
    ['*.read', 'contacts.read', true],
    ['*.read', 'contacts.unread', false],
    ['calendar', 'calendar.read', false],
    ['calendar.', 'calendar.read', false],
    ['.*', 'calendar.read', false],
    ['calendar.r*', 'calendar.read', false],
    ['*', 'calendar', false],
    ['*', '', false],
    ['*', 'a.b.c', false],
    ['*', '__proto__.toString', false],
    ['*', 'calendar.read\n', false],
  ])('%s on %s is %s', (scope, capability, allowed) => {
    expect(scopeAllows([scope], capability)).toBe(allowed);
  });

  it('allows nothing without a pattern', () => {
    fc.assert(fc.property(name, name, (a, b) => !scopeAllows([], `${a}.${b}`)));
  });

  it('allows exactly what its own names say', () => {
    fc.assert(
      fc.property(name, name, name, name, (module, method, otherModule, otherMethod) => {
        const other = `${otherModule}.${otherMethod}`;
        expect(scopeAllows([`${module}.${method}`], other)).toBe(
          module === otherModule && method === otherMethod,
        );
        expect(scopeAllows([`${module}.*`], other)).toBe(module === otherModule);
        expect(scopeAllows([`*.${method}`], other)).toBe(method === otherMethod);
        expect(scopeAllows(['*'], other)).toBe(true);
      }),
    );
  });

  it('is the union of its patterns', () => {
    fc.assert(
      fc.property(fc.array(pattern), fc.array(pattern), name, name, (a, b, module, method) => {
        const id = `${module}.${method}`;
        expect(scopeAllows([...a, ...b], id)).toBe(scopeAllows(a, id) || scopeAllows(b, id));
      }),
    );
  });

  it('lets a malformed pattern allow nothing', () => {
    fc.assert(
      fc.property(fc.string(), name, name, (text, module, method) => {
        fc.pre(!SCOPE_PATTERN.test(text));
        expect(scopeAllows([text], `${module}.${method}`)).toBe(false);
      }),
    );
  });
});

describe('SCOPE_PATTERN', () => {
  it('takes the four forms and no space, which separates patterns in the token', () => {
    fc.assert(fc.property(pattern, (text) => SCOPE_PATTERN.test(text)));
    for (const bad of ['', '*.*', 'a', 'a.b.c', 'A.b', 'a b', 'a.b ', 'a.b\n', '1.a', 'a.', '.a']) {
      expect([bad, SCOPE_PATTERN.test(bad)]).toEqual([bad, false]);
    }
  });
});
