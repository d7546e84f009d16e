import { otherwise, read, refused, to, type IsolationCases } from './isolation-case.js';

/** Attempts on conversations, credentials and accounts. */
export const AGENT: IsolationCases = {
  methods: {
    'help.describe': [
      {
        name: 'a method',
        input: () => ({ module: 'calendar', method: 'read' }),
        expected: 'nothing',
      },
    ],
    'help.methods': [{ name: 'all', input: () => ({}), expected: 'nothing' }],
    'help.search': [
      { name: 'a word', input: ({ mark }) => ({ query: mark }), expected: 'nothing' },
    ],
    'help.skill': [{ name: 'one', input: () => ({ name: 'memory' }), expected: 'nothing' }],
    'help.skills': [{ name: 'all', input: () => ({}), expected: 'nothing' }],
    'interaction.ask': [
      {
        name: 'the question of the first person',
        input: ({ mark }) => ({ question: mark, kind: 'text' }),
        expected: 'APPROVAL_REQUIRED',
      },
    ],
  },
  routes: {
    'POST /agent/runs': [
      {
        name: 'in a thread of the first person',
        attempt: ({ thread }) => to('/agent/runs', { message: 'hello', threadId: thread }),
        expected: 'NOT_FOUND',
      },
    ],
    'GET /agent/runs/{runId}': refused(({ run }) => to(`/agent/runs/${run}`)),
    'POST /agent/runs/{runId}/cancel': refused(({ run }) => to(`/agent/runs/${run}/cancel`, {})),
    'GET /agent/runs/{threadId}/events': refused(
      ({ thread }) => to(`/agent/runs/${thread}/events?after=0`),
      read,
    ),
    'GET /agent/runs/{threadId}/history': refused(
      ({ thread }) => to(`/agent/runs/${thread}/history`),
      read,
    ),
    'GET /agent/history': [
      {
        name: 'of a thread of the first person',
        attempt: ({ thread }) => to(`/agent/history?threadId=${thread}`),
        expected: 'NOT_FOUND',
        ...read,
      },
      { name: 'the latest', attempt: () => to('/agent/history'), expected: 'own', ...read },
    ],
    'POST /agent/attachments': [
      {
        name: 'a file',
        attempt: ({ mark }) =>
          to(
            '/agent/attachments',
            `--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n${mark}\r\n--x--\r\n`,
            { 'content-type': 'multipart/form-data; boundary=x' },
          ),
        expected: 'nothing',
      },
    ],
    'GET /agent/attachments/{id}': refused(
      ({ attachment }) => to(`/agent/attachments/${attachment}`),
      read,
    ),
    'GET /agent/attachments/{id}/content': refused(({ attachment }) =>
      to(`/agent/attachments/${attachment}/content?expires=4102444800&signature=AAAA`),
    ),
    'GET /agent/interrupts': [
      { name: 'all', attempt: () => to('/agent/interrupts'), expected: 'own', ...read },
      {
        name: 'of a thread of the first person',
        attempt: ({ thread }) => to(`/agent/interrupts?threadId=${thread}`),
        expected: 'nothing',
      },
    ],
    'GET /agent/interrupts/{interruptId}': refused(
      ({ interrupt }) => to(`/agent/interrupts/${interrupt}`),
      read,
    ),
    'POST /agent/interrupts/{interruptId}/resolve': refused(({ interrupt }) =>
      to(`/agent/interrupts/${interrupt}/resolve`, { status: 'cancelled' }),
    ),
    'GET /agent/capabilities': [
      { name: 'the agent', attempt: () => to('/agent/capabilities'), expected: 'nothing' },
    ],
    'GET /agent/approval-rules': [
      { name: 'all', attempt: () => to('/agent/approval-rules'), expected: 'nothing' },
    ],
    'DELETE /agent/approval-rules/{ruleId}': refused(({ approvalRule }) =>
      to(`/agent/approval-rules/${approvalRule}`),
    ),
    'GET /agent/threads': [
      { name: 'all', attempt: () => to('/agent/threads'), expected: 'own', ...read },
    ],
    'DELETE /agent/threads/{threadId}': refused(({ thread }) => to(`/agent/threads/${thread}`)),
    'POST /agent/actions': refused(({ event }) =>
      to('/agent/actions', { module: 'calendar', method: 'delete', input: { event_id: event } }),
    ),
    'POST /auth/register': [
      {
        name: 'the address of the first person',
        attempt: ({ person }) =>
          to('/auth/register', { email: person.email, password: 'correct horse battery' }),
        expected: 'CONFLICT',
      },
    ],
    'POST /auth/token': [
      {
        name: 'the first person with a wrong password',
        attempt: ({ person }) =>
          to('/auth/token', { email: person.email, password: 'a wrong password' }),
        expected: 'CREDENTIAL_INVALID',
      },
    ],
    'POST /auth/refresh': [
      {
        name: 'a token that differs in its last letter',
        attempt: ({ refreshToken }) =>
          to('/auth/refresh', { refreshToken: otherwise(refreshToken) }),
        expected: 'CREDENTIAL_INVALID',
      },
      {
        name: 'the own token',
        attempt: (_first, { refreshToken }) => to('/auth/refresh', { refreshToken }),
        expected: 'own',
      },
    ],
    'GET /auth/me': [{ name: 'oneself', attempt: () => to('/auth/me'), expected: 'own', ...read }],
    'PATCH /auth/me': [
      {
        name: 'oneself',
        attempt: () => to('/auth/me', { timezone: 'Asia/Shanghai' }),
        expected: 'own',
      },
    ],
    'DELETE /auth/me': [
      {
        name: 'with the password of the first person',
        attempt: () => to('/auth/me', { password: 'the password of the first person' }),
        expected: 'FORBIDDEN',
      },
    ],
    'GET /.well-known/jwks.json': [
      {
        name: 'the keys',
        attempt: () => ({ path: '/.well-known/jwks.json' }),
        expected: 'nothing',
      },
    ],
    'POST /credentials': [
      {
        name: 'for a thread of the first person',
        attempt: ({ thread }) => to('/credentials', { scope: ['*'], threadId: thread }),
        expected: 'NOT_FOUND',
      },
    ],
    'DELETE /credentials/{jti}': refused(({ jti }) => to(`/credentials/${jti}`)),
    'POST /tools/project_cli': [
      {
        name: 'for the run of the first person',
        attempt: ({ run, call }, { credential }) =>
          to(
            '/tools/project_cli',
            { module: 'calendar', method: 'read', input: { mode: 'day', date: '2036-12-01' } },
            {
              authorization: `Bearer ${credential}`,
              'x-project-cli-context': JSON.stringify({ run_id: run, tool_call_id: call }),
            },
          ),
        expected: 'CREDENTIAL_INVALID',
      },
      {
        name: 'under the id of a call of the first person',
        attempt: ({ call }, { credential }) =>
          to(
            '/tools/project_cli',
            { module: 'calendar', method: 'read', input: { mode: 'day', date: '2036-12-01' } },
            {
              authorization: `Bearer ${credential}`,
              'x-project-cli-context': JSON.stringify({ tool_call_id: call }),
            },
          ),
        expected: 'own',
      },
    ],
    'POST /agent/runs/{threadId}/events/ticket': refused(({ thread }) =>
      to(`/agent/runs/${thread}/events/ticket`, {}),
    ),
    'GET /auth/me/export': [
      {
        name: 'everything',
        attempt: () => to('/auth/me/export'),
        expected: 'own',
        recalls: true,
      },
    ],
    'POST /auth/sign-out': [
      {
        name: 'with a word too many',
        attempt: ({ person }) => to('/auth/sign-out', { userId: person.userId }),
        expected: 'INVALID_ACTION_INPUT',
      },
    ],
    'GET /admin/users': refused(({ mark }) => to(`/admin/users?q=${mark}`), {
      expected: 'FORBIDDEN',
    }),
    'GET /admin/users/{userId}': refused(({ person }) => to(`/admin/users/${person.userId}`), {
      expected: 'FORBIDDEN',
    }),
    'PATCH /admin/users/{userId}': refused(
      ({ person }) => to(`/admin/users/${person.userId}`, { disabled: true }),
      { expected: 'FORBIDDEN' },
    ),
    'GET /admin/whitelist': refused(() => to('/admin/whitelist'), { expected: 'FORBIDDEN' }),
    'PUT /admin/whitelist': refused(() => to('/admin/whitelist', {}, { 'if-match': '"1"' }), {
      expected: 'FORBIDDEN',
    }),
    'GET /admin/audit': refused(() => to('/admin/audit'), { expected: 'FORBIDDEN' }),
    'GET /admin/audit/export': refused(() => to('/admin/audit/export'), { expected: 'FORBIDDEN' }),
    'GET /admin/whitelist/versions': refused(() => to('/admin/whitelist/versions'), {
      expected: 'FORBIDDEN',
    }),
    'GET /admin/whitelist/versions/{version}': refused(() => to('/admin/whitelist/versions/1'), {
      expected: 'FORBIDDEN',
    }),
    'POST /admin/whitelist/versions/{version}/restore': refused(
      () => to('/admin/whitelist/versions/1/restore', {}, { 'if-match': '"1"' }),
      { expected: 'FORBIDDEN' },
    ),
    'POST /admin/whitelist/explain': refused(
      ({ person }) => to('/admin/whitelist/explain', { userId: person.userId }),
      { expected: 'FORBIDDEN' },
    ),
    'GET /admin/capabilities': refused(() => to('/admin/capabilities'), { expected: 'FORBIDDEN' }),
    'GET /admin/capabilities/{id}': refused(() => to('/admin/capabilities/calendar.read'), {
      expected: 'FORBIDDEN',
    }),
    'PATCH /admin/capabilities/{id}': refused(
      () => to('/admin/capabilities/calendar.read', { enabled: false }, { 'if-match': '"0"' }),
      { expected: 'FORBIDDEN' },
    ),
    'DELETE /admin/capabilities/{id}': refused(
      () => to('/admin/capabilities/calendar.read', undefined, { 'if-match': '"0"' }),
      { expected: 'FORBIDDEN' },
    ),
    'GET /admin/skills': refused(() => to('/admin/skills'), { expected: 'FORBIDDEN' }),
    'PUT /admin/skills': refused(
      () => to('/admin/skills', { enabled: null }, { 'if-match': '"0"' }),
      { expected: 'FORBIDDEN' },
    ),
    'GET /admin/users/{id}/skills': refused(
      ({ person }) => to(`/admin/users/${person.userId}/skills`),
      { expected: 'FORBIDDEN' },
    ),
    'PUT /admin/users/{id}/skills': refused(
      ({ person }) =>
        to(`/admin/users/${person.userId}/skills`, { enabled: [] }, { 'if-match': '"0"' }),
      { expected: 'FORBIDDEN' },
    ),
    'GET /healthz': [{ name: 'alive', attempt: () => ({ path: '/healthz' }), expected: 'nothing' }],
    'GET /metrics': [
      { name: 'metrics', attempt: () => ({ path: '/metrics' }), expected: 'nothing' },
    ],
    'GET /readyz': [{ name: 'ready', attempt: () => ({ path: '/readyz' }), expected: 'nothing' }],
  },
};
