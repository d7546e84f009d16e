import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { LOCALES } from '../../src/common/locale.js';
import { compileUiHints } from '../../src/tool-output/a2ui/compile-ui-hints.js';
import { SUMMARY_RULES } from '../../src/tool-output/summary/rules.js';
import { buildToolContentSummary } from '../../src/tool-output/summary/tool-content-summary.js';
import { CapabilityRegistry } from '../../src/tool-router/capability-registry.js';
import { buttonsOf } from '../support/a2ui.js';
import { startProduct, type Product } from '../support/product.js';
import { CARD_CASES } from './card-cases.js';
import { CARD_TEMPLATES } from './card-templates.js';

/** What the product registers is what the tables of cards and summaries speak of. */
describe('every registered method', () => {
  let product: Product;
  let registry: CapabilityRegistry;

  beforeAll(async () => {
    product = await startProduct();
    registry = product.app.get(CapabilityRegistry, { strict: false });
  }, 60_000);
  afterAll(() => product.close());

  it('that has cards stands in the table of templates, with a case', () => {
    const registered = registry.list().flatMap(({ descriptor, registration }) => {
      return registration.ui ? [[descriptor.id, registration.ui] as const] : [];
    });
    expect(Object.fromEntries(registered)).toEqual(CARD_TEMPLATES);
    for (const [id] of registered) expect(CARD_CASES.map((card) => card.id)).toContain(id);
  });

  it.each(CARD_CASES)('takes what the buttons of $name send', ({ id, data, input }) => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    const context = { locale: 'en', timezone: 'UTC' } as const;
    const hints = CARD_TEMPLATES[id]?.(data, input, context);
    for (const button of buttonsOf(compileUiHints(hints, 's'), 's')) {
      const called = registry.get(`${button.module}.${button.method}`);
      const isValid = ajv.compile(called?.descriptor.inputSchema ?? false);
      expect([button, isValid(button.input) ? [] : isValid.errors]).toEqual([button, []]);
    }
  });

  it('has a summary of its own, in both languages', () => {
    for (const { descriptor, registration } of registry.list()) {
      const { id, module, method } = descriptor;
      const own = Object.hasOwn(SUMMARY_RULES, id) || registration.summary !== undefined;
      expect([id, own]).toEqual([id, true]);
      const data = { items: [], count: 0, name: 'Amy', title: 'Amy' };
      const said = LOCALES.map((locale) =>
        buildToolContentSummary(
          'project_cli',
          { module, method, input: { name: 'Amy', query: 'Amy', module: 'a', method: 'b' } },
          { module, method, data },
          null,
          locale,
          registration.summary,
        ),
      );
      expect([id, said[0]]).toEqual([id, expect.stringMatching(/\p{Script=Han}/u)]);
      expect([id, said[1]]).toEqual([id, expect.stringMatching(/^[\x20-\x7e]+$/)]);
      expect(said.join()).not.toMatch(/project_cli|undefined/);
    }
  });

  it('has a sentence for its failure, in both languages and without its id', () => {
    for (const { id, module, method } of registry.list().map(({ descriptor }) => descriptor)) {
      const said = LOCALES.map((locale) =>
        buildToolContentSummary(
          'project_cli',
          { module, method, input: {} },
          null,
          { code: 'TIMEOUT' },
          locale,
        ),
      );
      expect([id, said[0]]).toEqual([
        id,
        expect.stringMatching(/^[\p{Script=Han}]+失败：已超时$/u),
      ]);
      expect([id, said[1]]).toEqual([
        id,
        expect.stringMatching(/^Could not .+: it took too long$/),
      ]);
    }
  });
});
