import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { CredentialService } from '../../src/credential/credential.service.js';
import type { ApiClient } from '../support/api-client.js';
import { startProduct, type Product } from '../support/product.js';
import { IN_CLUSTER } from '../support/topology.js';

/** PROTOCOL §8: pressing a card's button takes the same router and guard as a model's call. */
describe("a card's button", () => {
  let product: Product;
  let owner: ApiClient;
  let guest: ApiClient;
  let eventId: string;

  beforeAll(async () => {
    product = await startProduct();
    owner = await product.client().register({ locale: 'en', timezone: 'UTC' });
    guest = await product.client().register({ locale: 'en', timezone: 'UTC' });
    const created = await owner.post('/calendar/events', {
      title: 'Review',
      start_at: '2026-12-01T10:00:00Z',
      end_at: '2026-12-01T11:00:00Z',
      attendees: [{ email: guest.email }],
    });
    eventId = String(created.body.id);
  }, 60_000);
  afterAll(() => product.close());

  /** Every action a card's buttons name. */
  const actionsIn = (schema: unknown): Record<string, unknown>[] => {
    if (typeof schema !== 'object' || schema === null) return [];
    const own = schema as Record<string, unknown>;
    const isAction = 'module' in own && 'method' in own && 'input' in own;
    return [...(isAction ? [own] : []), ...Object.values(own).flatMap(actionsIn)];
  };

  /** A renderer's part: an action's context is bound to the surface's data model. */
  const resolve = (schema: unknown, binding: unknown): unknown => {
    const messages = schema as { updateDataModel?: { value: unknown } }[];
    const model = messages.find((message) => message.updateDataModel)?.updateDataModel?.value;
    const { path } = binding as { path: string };
    return path
      .split('/')
      .slice(1)
      .reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], model);
  };

  it('does what the invitation card offers, and answers with the next card', async () => {
    const card = await guest.post('/agent/actions', {
      module: 'calendar',
      method: 'read',
      input: { mode: 'event', event_id: eventId },
    });
    expect(card.body).toMatchObject({ status: 'success', ui_schema: expect.any(Array) });
    const accept = actionsIn(card.body.ui_schema).find(({ method }) => method === 'accept_invite');
    const { module, method, input: binding } = accept ?? {};
    const input = resolve(card.body.ui_schema, binding);
    expect(input).toEqual({ event_id: eventId });
    const pressed = await guest.post('/agent/actions', { module, method, input });
    expect(pressed.body).toMatchObject({ status: 'success', error: null, toolName: 'project_cli' });
    const listed = await guest.get('/calendar/events?date=2026-12-01');
    expect(listed.body.items).toMatchObject([{ id: eventId, myStatus: 'accepted' }]);
  });

  it('refuses what the whitelist and the rules refuse, as a failure with a code', async () => {
    const press = async (who: ApiClient, action: object) =>
      (await who.post('/agent/actions', action)).body;
    const input = { event_id: eventId };
    expect(await press(guest, { module: 'calendar', method: 'delete', input })).toMatchObject({
      status: 'failure',
      error: { code: 'FORBIDDEN' },
    });
    expect(await press(guest, { module: 'nope', method: 'delete' })).toMatchObject({
      error: { code: 'MODULE_NOT_FOUND' },
    });
    const answer = await guest.post('/agent/actions', { module: 'calendar' });
    expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_ACTION_INPUT' } });
  });

  // In a cluster it may be pressed at the replica that is another process.
  (IN_CLUSTER ? it.skip : it)(
    'answers what it did, also when its credential cannot be ended',
    async () => {
      const revoke = jest
        .spyOn(product.app.get(CredentialService, { strict: false }), 'revoke')
        .mockRejectedValueOnce(new Error('the database is gone'));
      const pressed = await owner.post('/agent/actions', {
        module: 'calendar',
        method: 'update',
        input: { event_id: eventId, title: 'Review, again' },
      });
      expect(revoke).toHaveBeenCalledTimes(1);
      revoke.mockRestore();
      expect(pressed).toMatchObject({ status: 200, body: { status: 'success' } });
      // Defence: src/tool-output/result-facts.ts: toResultFacts (nothing else of the record is shown)
      expect(Object.keys(pressed.body).sort()).toEqual(
        'args callId error method module result status summary toolName ui_schema'.split(' '),
      );
      expect(product.logs.filter((line) => line.includes('was not revoked'))).toHaveLength(1);
    },
  );
});
