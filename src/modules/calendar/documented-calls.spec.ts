import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiClient } from '../../../test/support/api-client.js';
import { startProduct, type Product } from '../../../test/support/product.js';
import { isJsonObject, type JsonObject } from '../../common/json.js';
import { CapabilityRegistry } from '../../tool-router/capability-registry.js';
import { InputSchema } from '../../tool-router/input/input-schema.js';
import * as availability from './availability/availability.examples.js';
import * as examples from './calendar.examples.js';
import * as ical from './ical/ical.examples.js';

type DocumentedCall = readonly [method: string, input: JsonObject];

/** The event of every documented call that names one. */
const SHOWN_ID = 'evt_01JE4Z8K3V0W7R5T9Q2M6N8P1X';
const SHOWN_YEAR = '2026';
/** Its days are the same days of the week, and none of them is over. */
const YEAR = '2054';

const skill = readFileSync(new URL('../../../skills/calendar/SKILL.md', import.meta.url), 'utf8');

const shown = [...skill.matchAll(/```json\n(.*?)```/gs)].map(([, json = '']): DocumentedCall => {
  const call: unknown = JSON.parse(json);
  if (!isJsonObject(call) || !isJsonObject(call.input)) throw new Error('not a call');
  expect(Object.keys(call)).toEqual(['module', 'method', 'input']);
  expect(call.module).toBe('calendar');
  return [String(call.method), call.input];
});

const helped = Object.entries({
  read: examples.READ,
  create: examples.CREATE,
  update: examples.UPDATE,
  delete: examples.DELETE,
  share: examples.SHARE,
  accept_invite: examples.ANSWER,
  reject_invite: examples.ANSWER,
  free_busy: availability.FREE_BUSY,
  find_slot: availability.FIND_SLOT,
  import_ics: ical.IMPORT,
  export_ics: ical.EXPORT,
}).flatMap(([method, list]) => list.map(({ input }): DocumentedCall => [method, input]));

describe('documented calls of the calendar', () => {
  let product: Product;
  let amy: ApiClient;

  beforeAll(async () => {
    product = await startProduct();
    amy = await product.client().register({ email: 'amy@example.com' });
    await product.client().register({ email: 'bob@example.com' });
  }, 60_000);
  afterAll(() => product.close());

  async function create(client: ApiClient, event: object): Promise<string> {
    const { body } = await client.post('/calendar/events', {
      title: 'a',
      start_at: `${YEAR}-03-02T09:00:00+08:00`,
      ...event,
    });
    return String(body.id);
  }

  /** An event that the call may name: a series where it names an occurrence. */
  function nameable(method: string, text: string, owner: ApiClient): Promise<string> {
    if (method.endsWith('_invite')) return create(amy, { attendees: [owner.email] });
    const repeats = { start_at: `${YEAR}-04-27T09:00:00+08:00`, rrule: 'FREQ=WEEKLY;BYDAY=MO,WE' };
    const attendees = ['bob@example.com'];
    return create(owner, { attendees, ...(text.includes('~') ? repeats : {}) });
  }

  it.each([
    ['the skill', shown],
    ['help.describe', helped],
  ])(
    'of %s work against the real methods, and give what the schemas say',
    async (_name, calls) => {
      const owner = await product.client().register();
      // Amy lets the owner see when she is busy.
      await create(amy, { rrule: 'FREQ=YEARLY', attendees: [owner.email] });
      const { body } = await owner.post('/credentials', { scope: ['calendar.*'] });
      const registry = product.app.get(CapabilityRegistry);
      const methods = new Set<string>();
      for (const [method, documented] of calls) {
        const text = JSON.stringify(documented).replaceAll(SHOWN_YEAR, YEAR);
        const id = text.includes(SHOWN_ID) ? await nameable(method, text, owner) : SHOWN_ID;
        const input: unknown = JSON.parse(text.replaceAll(SHOWN_ID, id));
        const response = await fetch(`${product.url}/api/v1/tools/project_cli`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            authorization: `Bearer ${String(body.credential)}`,
          },
          body: JSON.stringify({ module: 'calendar', method, input }),
        });
        const answer: unknown = JSON.parse(await response.text());
        expect([method, text, answer]).toMatchObject([
          method,
          text,
          { ok: true, status: 'success' },
        ]);
        const schema = registry.get(`calendar.${method}`)?.descriptor.outputSchema ?? {};
        const data = isJsonObject(answer) && isJsonObject(answer.data) ? answer.data : {};
        expect([method, new InputSchema(schema).faults(data)]).toEqual([method, []]);
        methods.add(method);
      }
      const all = registry.list().filter(({ descriptor }) => descriptor.id.startsWith('calendar.'));
      expect([...methods].sort()).toEqual(
        all.map(({ descriptor }) => descriptor.id.slice('calendar.'.length)).sort(),
      );
    },
    120_000,
  );

  it('stand in a skill whose front matter says what it is for', () => {
    expect(skill).toMatch(/^---\nname: calendar\ndescription: .{40,}\n---\n/);
  });
});
