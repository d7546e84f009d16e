import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { apiRoutes, schemasIn, type ApiRoute } from '../support/api-routes.js';
import type { ApiClient } from '../support/api-client.js';
import { startProduct, type Product } from '../support/product.js';

/** Members with which a request would give its sender something that is not theirs to give. */
const PRIVILEGED = ['role', 'roles', 'userId', 'ownerId', 'isAdmin', 'disabled', 'createdAt'];

const REFUSALS = ['INVALID_ACTION_INPUT', 'INVALID_TOOL_CALL', 'CREDENTIAL_IN_INPUT'];

/** What no answer of the product has a member for. */
const NEVER_ANSWERED = /passw|secret|hash|^uiHints$|^ui_hints$|storage|jwtPrivate|^d$/i;

/** Hashes that are there to be checked: the audit's chain, and of arguments that stand beside them. */
const PUBLIC_HASHES =
  /^GET \/api\/v1\/admin\/audit items\[\]\.(hash|prevHash|argumentsHash)$|\/agent\/interrupts.*inputHash$/;

/** Texts without a length of their own, and what bounds them. */
const BOUNDED_ELSEWHERE: [route: RegExp, member: RegExp][] = [
  // An IANA zone: looked up in the zones that exist.
  [/./, /^(events\[\]\.)?timezone$/],
  // AG-UI input is read by src/agent/runs/requests/agui-input.ts, which says its own limits.
  [
    /^POST \/api\/v1\/agent\/runs$/,
    /^(threadId|runId|protocolVersion|messages|forwardedProps|resume)/,
  ],
  // Read as text by the router: NAME of src/tool-router/parse-tool-call.ts.
  [/^POST \/api\/v1\/tools\/project_cli$/, /^(module|method)$/],
  // Normalised, then at most 64 characters; a date-time.
  [/\/api\/v1\/memories/, /^(facts\[\]\.)?(key|expires_at)$/],
  // RFC 3339 date-times.
  [/^GET \/api\/v1\/admin\/audit/, /^(from|to)$/],
  // Parts of a signed link, compared with what was signed.
  [/\/attachments\/\{id\}\/content$/, /^(expires|signature)$/],
];

/** The parts of the OWASP API Security Top 10 (2023) that hold for every route there is. */
describe('every route of the API', () => {
  let product: Product;
  let admin: ApiClient;
  let user: ApiClient;
  let guest: ApiClient;
  let routes: ApiRoute[];

  beforeAll(async () => {
    product = await startProduct();
    admin = await product.client().register();
    user = await product.client().register();
    guest = await product.client().register();
    await product.app
      .get(DataSource)
      .query(`UPDATE users SET role = 'guest' WHERE id = $1`, [guest.userId]);
    routes = await apiRoutes(product.url);
  }, 60_000);
  afterAll(() => product.close());

  const nameOf = ({ method, template }: ApiRoute) => `${method} ${template}`;
  const closed = () => routes.filter(({ security }) => security.length > 0);

  async function ask(
    { method, path }: ApiRoute,
    token: string | null,
    { body, query = '' }: { body?: object; query?: string } = {},
  ): Promise<{ status: number; code: unknown; text: string }> {
    const response = await fetch(`${product.url}${path}${query}`, {
      method,
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = /^application\/(problem\+)?json/.test(
      response.headers.get('content-type') ?? '',
    );
    const parsed =
      isJson && text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {};
    const error = parsed.error as Record<string, unknown> | null | undefined;
    return { status: response.status, code: error?.code ?? parsed.code, text };
  }

  // Defence: src/auth/bearer.guard.ts: canActivate, and src/auth/access-tokens.ts: verify;
  // at the tool door src/credential/credential.service.ts: verify.
  it('API2: lets in nobody without a bearer token, nor with another kind of token', async () => {
    const { credential } = await user.credential();
    expect(closed().length).toBeGreaterThan(40);
    for (const route of closed()) {
      const wrong = route.security.includes('credential') ? user.token : credential;
      const [none, other, inQuery] = await Promise.all([
        ask(route, null),
        ask(route, wrong),
        ask(route, null, { query: `?access_token=${user.token}` }),
      ]);
      const seen = [none?.status, other?.status, inQuery?.status];
      // A token in the query may be refused for being there before anybody looks at it.
      if (seen[2] === 400) seen[2] = 401;
      expect([nameOf(route), ...seen]).toEqual([nameOf(route), 401, 401, 401]);
    }
  });

  // Defence: src/auth/decorators.ts: RequireRole on the controller, read by
  // src/auth/bearer.guard.ts: canActivate.
  it('API5: keeps everything below /admin to admins', async () => {
    const adminRoutes = routes.filter(({ template }) => template.includes('/admin/'));
    expect(adminRoutes.length).toBeGreaterThan(1);
    const { credential } = await admin.credential();
    for (const route of adminRoutes) {
      const seen = [
        await ask(route, null),
        await ask(route, credential),
        await ask(route, guest.token),
        await ask(route, user.token),
      ].map(({ status }) => status);
      expect([nameOf(route), ...seen]).toEqual([nameOf(route), 401, 401, 403, 403]);
      const allowed = await ask(route, admin.token);
      if ([401, 403].includes(allowed.status)) throw new Error(`${nameOf(route)}: ${allowed.text}`);
    }
  });

  // Defence: src/auth/access-tokens.ts: principal (the role is the account's, never the token's), and
  // src/auth/account-cache.ts: publishChange (what was read before is read again). The account is
  // given the role before it signs in, so that a token that carried a role would carry this one.
  it('API5: follows the account and not the token when an admin is one no more', async () => {
    const former = await product.client().register();
    const path = `/admin/users/${former.userId}`;
    const become = async (role: string) =>
      expect((await admin.call('PATCH', path, { role })).body).toMatchObject({ role });
    await become('admin');
    const { email } = former;
    const signIn = { email, password: 'correct horse battery' };
    former.token = String((await former.post('/auth/token', signIn)).body.accessToken);
    expect((await former.get('/admin/whitelist')).status).toBe(200);
    await become('user');
    expect((await former.get('/admin/whitelist')).body.code).toBe('FORBIDDEN');
    expect((await former.call('PATCH', path, { role: 'admin' })).body.code).toBe('FORBIDDEN');
    expect((await former.get('/auth/me')).body).toMatchObject({ role: 'user' });
  });

  // Defence: src/http/validation.pipe.ts: InputValidationPipe (whitelist, forbidNonWhitelisted);
  // for the tool door src/tool-router/parse-tool-call.ts: parseToolCall.
  it('API3: refuses members that a request has no business to set, in every body', async () => {
    const privileged = Object.fromEntries(PRIVILEGED.map((name) => [name, 'admin']));
    const withBody = closed().filter(({ bodies }) => bodies.length > 0);
    expect(withBody.length).toBeGreaterThan(10);
    const { credential } = await user.credential();
    for (const route of withBody) {
      const token = route.security.includes('credential')
        ? credential
        : route.template.includes('/admin/')
          ? admin.token
          : user.token;
      const { status, code, text } = await ask(route, token, { body: privileged });
      const own = route.bodies.flatMap((body) => Object.keys(Object(body.properties)));
      const named = PRIVILEGED.some((name) => !own.includes(name) && text.includes(name));
      if (!named || !REFUSALS.includes(String(code))) {
        throw new Error(`${nameOf(route)}: ${status} ${text}`);
      }
    }
    const me = await user.get('/auth/me');
    expect(me.body).toMatchObject({ id: user.userId, role: 'user' });
  });

  // Defence: src/auth/dto: no member of a profile is a role; src/http/validation.pipe.ts.
  it('API3: makes nobody an admin who asks for it when registering or changing a profile', async () => {
    const email = 'climber@example.com';
    const password = 'correct horse battery';
    for (const more of [{ role: 'admin' }, { roles: ['admin'] }, { id: 'usr_1' }]) {
      const answer = await product.client().post('/auth/register', { email, password, ...more });
      expect(answer.status).toBe(400);
      const changed = await user.call('PATCH', '/auth/me', { displayName: 'x', ...more });
      expect(changed.status).toBe(400);
    }
    expect((await user.get('/admin/whitelist')).status).toBe(403);
  });

  // Defence: the response DTOs; src/tool-output/result-facts.ts leaves out what is internal.
  it('API3: has no answer with a member for a password, a hash or what is internal', () => {
    const named = routes.flatMap((route) =>
      route.answers.flatMap((answer) =>
        [...schemasIn(answer)]
          .map(([path]) => path)
          .filter((path) => NEVER_ANSWERED.test(path.split(/\.|\[\]/).at(-1) ?? ''))
          .map((path) => `${nameOf(route)} ${path}`)
          .filter((member) => !PUBLIC_HASHES.test(member)),
      ),
    );
    expect(named).toEqual([]);
  });

  // Defence: @Max of the query DTOs, checked by src/http/validation.pipe.ts.
  it('API4: gives no page without a bound', async () => {
    const paged = routes.filter(({ query }) => query.some(({ name }) => name === 'limit'));
    expect(paged.length).toBeGreaterThan(5);
    for (const route of paged) {
      const { schema } = route.query.find(({ name }) => name === 'limit') ?? {};
      const maximum = Number(schema?.maximum);
      if (!(maximum <= 1000)) throw new Error(`${nameOf(route)}: no maximum`);
      const token = route.template.includes('/admin/') ? admin.token : user.token;
      const answer = await ask(route, token, { query: `?limit=${maximum + 1}` });
      expect([nameOf(route), answer.status]).toEqual([nameOf(route), 400]);
    }
  });

  // Defence: @MaxLength and @ArrayMaxSize of the DTOs, of which the schemas are made.
  it('API4: takes no text and no list without a bound', () => {
    const isBounded = (schema: Record<string, unknown>): boolean => {
      if (schema.type === 'array') return schema.maxItems !== undefined;
      if (schema.type !== 'string') return true;
      return ['maxLength', 'enum', 'format', 'pattern', 'const'].some((key) => key in schema);
    };
    const unbounded = routes.flatMap((route) => {
      const query = route.query.map(({ name, schema }) => [name, schema] as const);
      const members = [...query, ...route.bodies.flatMap((body) => [...schemasIn(body)])];
      return members
        .filter(([path, schema]) => !isBounded(schema) && !isExplained(nameOf(route), path))
        .map(([path]) => `${nameOf(route)} ${path}`);
    });
    expect(unbounded).toEqual([]);
  });

  // Defence: src/http/not-found.ts: answerTheRest, and that the document is made of the routes.
  it('API9: stands in the document, and nothing is served that does not', async () => {
    const documented = new Set(routes.map(nameOf));
    const express = product.app.getHttpAdapter().getInstance() as {
      router: { stack: { route?: { path: string; methods: Record<string, boolean> } }[] };
    };
    const layers = express.router.stack.flatMap(({ route }) => (route ? [route] : []));
    // Nest puts middleware, which answers nothing, on every method of an unprefixed path.
    const served = layers
      .filter(({ methods }) => Object.keys(methods).length === 1)
      .flatMap(({ path, methods }) =>
        Object.keys(methods).map(
          (method) => `${method.toUpperCase()} ${path.replaceAll(/:(\w+)/g, '{$1}')}`,
        ),
      );
    expect(served.length).toBeGreaterThanOrEqual(documented.size);
    const beside = served.filter((route) => !documented.has(route) && !/ \/docs/.test(route));
    expect(beside).toEqual(['GET /openapi.json']);
    for (const { path, methods } of layers.filter(({ methods }) => methods.trace)) {
      const response = await fetch(product.url + path, { method: 'POST' });
      expect([path, Object.keys(methods).length > 1, response.status]).toEqual([path, true, 404]);
      await response.body?.cancel();
    }
  });
});

function isExplained(route: string, path: string): boolean {
  return BOUNDED_ELSEWHERE.some(([where, member]) => where.test(route) && member.test(path));
}
