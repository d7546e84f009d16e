import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CapabilityRegistry } from '../../src/tool-router/capability-registry.js';
import { startProduct, type Product } from '../support/product.js';
import { secretsOf, settle, stateOf, UNSAID, type Belongings } from './belongings.js';
import { METHOD_CASES, PUBLIC_ROUTES, ROUTE_CASES } from './cases.js';
import type { Attempt, Expected } from './isolation-case.js';

interface Outcome {
  /** `success`, or the code of the refusal. */
  outcome: string;
  text: string;
}

/** Issue 3: what one person has, another neither sees nor changes, whatever they send. */
describe('what belongs to one person', () => {
  let product: Product;
  let first: Belongings;
  let other: Belongings;
  let before: string;
  let operations: Map<string, { isPublic: boolean }>;

  beforeAll(async () => {
    product = await startProduct();
    await product.client().register(); // whoever comes first is the admin
    const inviter = await product.client().register();
    first = await settle(product, 'kingfisher', '+86 138 0013 8000', inviter);
    other = await settle(product, 'heron', '+86 139 0013 9000', inviter);
    before = await stateOf(first);
    operations = await operationsOf(product);
  }, 60_000);
  afterAll(() => product.close());

  async function send(method: string, { path, body, headers }: Attempt, token?: string) {
    const response = await fetch(`${product.url}${path}`, {
      method,
      headers: {
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined
        ? {}
        : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    return { status: response.status, text: await response.text() };
  }

  async function request(method: string, attempt: Attempt, token?: string): Promise<Outcome> {
    const { status, text } = await send(method, attempt, token);
    return { outcome: outcomeOf(status, text), text };
  }

  function invoke(method: string, input: object, { credential }: Belongings): Promise<Outcome> {
    const [module, name] = method.split('.');
    const path = '/api/v1/tools/project_cli';
    return request('POST', { path, body: { module, method: name, input } }, credential);
  }

  /** What the caller sent so far; an export of their calls has it. */
  const everSent: string[] = [];

  /** Nothing of the first person stands in the answer but what the caller sent. */
  function assertKept({ outcome, text }: Outcome, expected: Expected, sent: string): void {
    const wanted = expected === 'own' || expected === 'nothing' ? 'success' : expected;
    if (outcome !== wanted) throw new Error(`${wanted} was expected: ${text}`);
    const said = sent.toLowerCase();
    const answer = text.toLowerCase();
    const own = secretsOf(other);
    const leaked = secretsOf(first).filter(
      (word) => answer.includes(word) && !said.includes(word) && !own.includes(word),
    );
    expect(leaked).toEqual([]);
    // The caller's own texts have the unsaid word beside their mark; the first person's must not.
    expect(answer).not.toContain(`${first.mark} ${UNSAID}`);
    if (expected === 'own') expect(answer).toContain(other.mark);
  }

  describe('through the methods', () => {
    it('has a case for every method that is registered', () => {
      const registered = product.app.get(CapabilityRegistry, { strict: false }).list();
      expect(Object.keys(METHOD_CASES).sort()).toEqual(
        registered.map(({ descriptor }) => descriptor.id).sort(),
      );
    });

    const cases = Object.entries(METHOD_CASES).flatMap(([method, list]) =>
      list.map((test) => [method, test.name, test] as const),
    );
    it.each(cases)('%s: %s', async (method, _name, { input, expected, control }) => {
      const sent = input(first, other);
      everSent.push(JSON.stringify(sent));
      assertKept(await invoke(method, sent, other), expected, JSON.stringify(sent));
      if (!control) return;
      const own = await invoke(method, input(first, first), first);
      expect(own.text).toContain(UNSAID);
    });
  });

  describe('through the routes', () => {
    it('has a case for every route that is described', () => {
      expect(Object.keys(ROUTE_CASES).sort()).toEqual([...operations.keys()].sort());
    });

    const cases = Object.entries(ROUTE_CASES).flatMap(([route, list]) =>
      list.map((test) => [route, test.name, test] as const),
    );
    it.each(cases)('%s: %s', async (route, _name, { attempt, expected, control, recalls }) => {
      const [method = ''] = route.split(' ');
      const sent = attempt(first, other);
      everSent.push(JSON.stringify(sent));
      const answer = await request(method, sent, other.person.token);
      assertKept(answer, expected, recalls ? everSent.join('\n') : JSON.stringify(sent));
      if (!control) return;
      const own = await request(method, attempt(first, first), first.person.token);
      expect(own.text).toContain(UNSAID);
    });

    it('wants a bearer token on every route that is not meant for everybody', async () => {
      const open = [...operations].filter(([, { isPublic }]) => isPublic).map(([route]) => route);
      expect(open.sort()).toEqual(PUBLIC_ROUTES);
      for (const [route, [test]] of Object.entries(ROUTE_CASES)) {
        if (PUBLIC_ROUTES.includes(route) || !test) continue;
        const [method = ''] = route.split(' ');
        const attempt = test.attempt(first, first);
        const { authorization: _token, ...headers } = attempt.headers ?? {};
        const { status, text } = await send(method, { ...attempt, headers });
        if (status !== 401) throw new Error(`${route}: ${status} ${text}`);
        expect(text).toContain('CREDENTIAL_MISSING');
        expect(text.toLowerCase()).not.toContain(UNSAID);
      }
    });
  });

  it('says the same of a thing of somebody else as of one that does not exist', async () => {
    const none = 'evt_00000000000000000000000000';
    const paths = [first.event, none].map((id) => `/api/v1/calendar/events/${id}`);
    const [foreign, missing] = await Promise.all(
      paths.map((path) => request('GET', { path }, other.person.token)),
    );
    const facts = (text = '') => JSON.stringify({ ...JSON.parse(text), requestId: '' });
    expect(facts(foreign?.text)).toBe(facts(missing?.text));
  });

  it('is nothing that an email address leads to: it gives a name and a user, no more', async () => {
    const { email, userId } = first.person;
    const shared = await invoke(
      'calendar.share',
      { event_id: other.event, with: [{ email }] },
      other,
    );
    const linked = await invoke('contacts.create', { name: 'A', emails: [email] }, other);
    const own = new Set(secretsOf(other));
    const known = new Set([UNSAID, email, userId.toLowerCase()]);
    for (const { outcome, text } of [shared, linked]) {
      expect(outcome).toBe('success');
      expect(text).toContain(`${first.mark} ${UNSAID}`);
      const leaked = secretsOf(first).filter((word) => !known.has(word) && !own.has(word));
      expect(leaked.filter((word) => text.toLowerCase().includes(word))).toEqual([]);
    }
    await other.person.post(`/calendar/events/${other.event}/share`, {
      with: [{ email, permission: 'none' }],
    });
  });

  it('is as it was after all that', async () => {
    expect(await stateOf(first)).toBe(before);
    expect((await invoke('help.methods', {}, first)).outcome).toBe('success');
  });
});

/** What the answer came to: a refusal has its code in a problem, or in the record of a call. */
function outcomeOf(status: number, text: string): string {
  // An export is a document a line; how it went stands in the first.
  const [line = ''] = text.split('\n');
  const body: unknown = line.startsWith('{') ? JSON.parse(line) : {};
  if (typeof body !== 'object' || body === null) return 'success';
  if ('code' in body && status >= 400) return String(body.code);
  if ('error' in body && typeof body.error === 'object' && body.error && 'code' in body.error) {
    return String(body.error.code);
  }
  return status < 400 ? 'success' : String(status);
}

async function operationsOf(product: Product): Promise<Map<string, { isPublic: boolean }>> {
  const response = await fetch(`${product.url}/openapi.json`);
  const { paths } = (await response.json()) as {
    paths: Record<string, Record<string, { security?: object[] }>>;
  };
  return new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { security }]) => [
        `${method.toUpperCase()} ${path.replace('/api/v1', '')}`,
        { isPublic: security?.length === 0 },
      ]),
    ),
  );
}
