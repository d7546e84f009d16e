import { beforeAll, describe, expect, it } from '@jest/globals';
import { Test } from '@nestjs/testing';
import * as fc from 'fast-check';
import {
  NO_SETTING,
  type CapabilitySetting,
  type SettingsById,
} from '../capabilities/capability-setting.js';
import { CapabilitySettings } from '../capabilities/capability-settings.js';
import {
  compileWhitelist,
  denyAll,
  denyUnknown,
  type Decide,
  type WhitelistEffect,
} from '../whitelist/decision.js';
import type { WhitelistDocument } from '../whitelist/policy.js';
import { WhitelistService } from '../whitelist/whitelist.service.js';
import { DECISION_STEPS, decideCall, type DecisionFacts } from './call-decision.js';
import type { CapabilityDescriptor } from './capability.js';
import { CapabilityAccess } from './capability-access.js';
import { CapabilityRegistry } from './capability-registry.js';

const IDS = ['a.x', 'a.y', 'b.x', 'b.y'];
const ROLE = 'r';
const USER = 'u';
const SUBJECT = { profile: 'p', roles: [ROLE], userId: USER };

const pattern = fc.constantFrom('*', 'a.*', 'b.*', '*.x', '*.y', ...IDS);
const patterns = fc.array(pattern, { maxLength: 3 });
const lists = fc.record({ allow: patterns, deny: patterns, ask: patterns });
const documents = fc.record({
  profiles: fc.record({ p: lists }),
  roles: fc.record({ [ROLE]: fc.record({ deny: patterns, ask: patterns }) }),
  users: fc.record({ [USER]: fc.record({ deny: patterns, ask: patterns }) }),
});
const settings = fc.record({
  enabled: fc.option(fc.boolean()),
  risk: fc.constant(null),
  requiresApproval: fc.option(fc.boolean()),
  limits: fc.constantFrom({}, { callsPerRun: 1 }),
});
const capabilities = fc.record({
  enabled: fc.boolean(),
  requiresApproval: fc.boolean(),
  standingApproval: fc.boolean(),
});
const scopes = fc.constantFrom<string[]>(['*'], ['a.*'], ['*.x'], ['b.y'], []);
/** Everything that a decision depends on, but for the whitelist. */
const worlds = fc.record({
  id: fc.constantFrom(...IDS),
  capability: fc.option(capabilities, { freq: 5 }),
  moduleExists: fc.boolean(),
  setting: fc.option(settings, { freq: 5 }),
  scope: scopes,
});
type World = Omit<DecisionFacts, 'whitelist'>;

const freedom: Record<WhitelistEffect, number> = { deny: 0, ask: 1, allow: 2 };
const decided = (world: World, document: WhitelistDocument) =>
  decideCall({ ...world, whitelist: compileWhitelist(document)(SUBJECT, world.id) });

describe('decideCall', () => {
  it.each(['deny', 'ask'] as const)('lets no more through after a %s was added', (key) => {
    const places = fc.constantFrom('profiles', 'roles', 'users');
    fc.assert(
      fc.property(worlds, documents, pattern, places, (world, document, added, section) => {
        const { [section]: named } = document;
        const narrowed = {
          ...document,
          [section]: Object.fromEntries(
            Object.entries(named).map(([name, rules]) => [
              name,
              { ...rules, [key]: [...rules[key], added] },
            ]),
          ),
        };
        const before = decided(world, document);
        const after = decided(world, narrowed);
        expect(freedom[after.effect]).toBeLessThanOrEqual(freedom[before.effect]);
        if (key === 'ask') expect(after.code).toBe(before.code);
      }),
    );
  });

  it('lets through only what is registered, enabled, allowed by a rule and in scope', () => {
    fc.assert(
      fc.property(worlds, documents, (world, document) => {
        const { effect } = decided(world, document);
        const nothing = { ...document, profiles: { p: { allow: [], deny: [], ask: [] } } };
        expect(decided(world, nothing).effect).toBe('deny');
        for (const changed of [
          { capability: null },
          { setting: null },
          { setting: { ...NO_SETTING, enabled: false } },
          { capability: world.capability && { ...world.capability, enabled: false } },
          { scope: [] },
        ]) {
          expect(decided({ ...world, ...changed }, document).effect).toBe('deny');
        }
        const { capability, setting } = world;
        if (effect === 'deny') return;
        expect(capability?.enabled).toBe(true);
        expect(setting?.enabled).not.toBe(false);
      }),
    );
  });

  it('says that what nobody knows to be allowed may be later', () => {
    const capability = { enabled: true, requiresApproval: false, standingApproval: true };
    const world = { id: 'a.x', capability, moduleExists: true, setting: NO_SETTING, scope: ['*'] };
    const policy = compileWhitelist({
      profiles: { p: { allow: ['*'], deny: [], ask: [] } },
      roles: {},
      users: {},
    });
    const whitelist = policy(SUBJECT, world.id);
    const codeOf = (changed: Partial<DecisionFacts>) =>
      decideCall({ ...world, whitelist, ...changed }).code;
    expect(codeOf({})).toBeNull();
    expect(codeOf({ whitelist: denyUnknown(SUBJECT, world.id) })).toBe('DEPENDENCY_UNAVAILABLE');
    expect(codeOf({ setting: null })).toBe('DEPENDENCY_UNAVAILABLE');
    expect(codeOf({ whitelist: denyAll(SUBJECT, world.id) })).toBe('METHOD_NOT_ALLOWED');
  });

  it('says every step, and a code exactly for what is denied', () => {
    fc.assert(
      fc.property(worlds, documents, (world, document) => {
        const { effect, code, rule, steps } = decided(world, document);
        expect(steps.map(({ step }) => step)).toEqual(DECISION_STEPS);
        expect(code === null).toBe(effect !== 'deny');
        const deciding = steps.find((step) => step.effect === effect && step.rule === rule);
        expect(deciding).toBeDefined();
        const strictest = Math.min(...steps.map((step) => freedom[step.effect]));
        expect(freedom[effect]).toBe(strictest);
      }),
    );
  });

  it('lets settings loosen approval, unless the code insists on it or the whitelist asks', () => {
    fc.assert(
      fc.property(worlds, documents, (world, document) => {
        const loose = { ...NO_SETTING, requiresApproval: false };
        const { effect } = decided({ ...world, setting: loose }, document);
        const { requiresApproval = false, standingApproval = true } = world.capability ?? {};
        const asks = compileWhitelist(document)(SUBJECT, world.id).effect === 'ask';
        if (effect === 'deny') return;
        const insists = requiresApproval && !standingApproval;
        expect(effect).toBe(asks || insists ? 'ask' : 'allow');
      }),
    );
  });
});

describe('listing', () => {
  let access: CapabilityAccess;
  let registry: CapabilityRegistry;
  let decide: Decide;
  let inForce: SettingsById | null;

  beforeAll(async () => {
    const testing = await Test.createTestingModule({
      providers: [
        CapabilityAccess,
        CapabilityRegistry,
        {
          provide: WhitelistService,
          useValue: { decide: (...asked: Parameters<Decide>) => decide(...asked) },
        },
        {
          provide: CapabilitySettings,
          useValue: {
            get inForce() {
              return inForce;
            },
          },
        },
      ],
    }).compile();
    access = testing.get(CapabilityAccess);
    registry = testing.get(CapabilityRegistry);
  });

  const descriptorOf = (id: string, requiresApproval: boolean): CapabilityDescriptor => ({
    id,
    module: id.charAt(0),
    method: id.charAt(2),
    version: 1,
    description: 'For the tests.',
    inputSchema: { type: 'object' },
    outputSchema: { type: 'object' },
    effect: 'read',
    risk: 'low',
    requiresApproval,
    timeoutMs: 1000,
    group: 'all',
    examples: [],
  });

  it('equals calling: what is listed may be called, and what may be called is listed', () => {
    const all = fc.record({
      document: documents,
      registered: fc.subarray(IDS),
      disabled: fc.subarray(IDS),
      asking: fc.subarray(IDS),
      stored: fc.option(fc.dictionary(fc.constantFrom(...IDS), settings), { freq: 5 }),
      scope: scopes,
    });
    fc.assert(
      fc.property(all, ({ document, registered, disabled, asking, stored, scope }) => {
        decide = compileWhitelist(document);
        inForce = stored && new Map<string, CapabilitySetting>(Object.entries(stored));
        registry.registerGroup(
          'all',
          registered.map((id) => ({
            descriptor: descriptorOf(id, asking.includes(id)),
            handler: () => Promise.resolve({}),
          })),
          ['a', 'b'].map((name) => ({ name, description: 'For the tests.' })),
        );
        try {
          for (const id of disabled) registry.setEnabled(id, false);
          const caller = { ...SUBJECT, scope };
          const listed = new Map(access.visible(caller).map((one) => [one.id, one]));
          for (const id of IDS) {
            const { effect } = access.decide(caller, id);
            expect([id, listed.has(id)]).toEqual([id, effect !== 'deny']);
            const [module = '', method = ''] = id.split('.');
            const look = () => access.visibleMethod(caller, module, method);
            const found = registry.get(id);
            if (effect === 'deny') {
              expect(look).toThrow(expect.objectContaining({ code: expect.any(String) }));
              if (found) expect(access.denial(caller, found)).not.toBeNull();
              continue;
            }
            expect(look().id).toBe(id);
            expect(found && access.denial(caller, found)).toBeNull();
            const approval = found && access.approval(caller, found);
            expect(listed.get(id)?.requiresApproval).toBe(approval !== null);
          }
          const modules = new Set([...listed.values()].map(({ module }) => module));
          expect(access.visibleModules(caller).map(({ name }) => name)).toEqual([...modules]);
        } finally {
          registry.unregisterGroup('all');
        }
      }),
      { numRuns: 40 },
    );
  });
});
