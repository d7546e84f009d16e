import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CredentialService } from '../../src/credential/credential.service.js';
import { InlineExecutor } from '../../src/tool-router/executors/inline-executor.js';
import { ProcessExecutor } from '../../src/tool-router/executors/process-executor.js';
import { AdminClient, chatMay } from '../support/admin-client.js';
import type { ApiClient, StreamFrame } from '../support/api-client.js';
import {
  callReply,
  startModelServer,
  textReply,
  type ModelServer,
} from '../support/model-server.js';
import { startProduct, type Product } from '../support/product.js';

/** The skill that is hidden and shown; it is about `memory`, which is allowed and denied. */
const SKILL = 'zebrafish';
/** Another one, which every rule shows. */
const OTHER = 'lantern';
/** Lies in SKILLS_DIR, and ENABLED_SKILLS has it not. */
const SHUT = 'waterfall';
/** Was never anywhere; as long as `SKILL`. */
const UNKNOWN = 'nightfall';
const RUN = 'run_of_skills';
/** Words of the document: nothing but the document has them. */
const MARKS = /zebrafish|QUAGGA|OKAPI/;

type Call = (method: string, input: object, module?: string) => Promise<string>;
type Hiding = 'nobody' | 'the deployment' | 'the user' | 'the run';
const HIDINGS: Hiding[] = ['nobody', 'the deployment', 'the user', 'the run'];
const POLICIES = { allowed: chatMay('*'), denied: chatMay('help.*') };
const PERMISSIONS = ['allowed', 'denied'] as const;
const CASES = HIDINGS.flatMap((hiding) => PERMISSIONS.map((how) => [hiding, how] as const));

/**
 * What a model may read and what it may do are two things (PROTOCOL §1). The line that hides:
 * CallerSkills, through which help, briefing and admission of runs look. The line that decides:
 * decideCall, which knows of no skill.
 */
describe('skills and permissions', () => {
  let product: Product;
  let model: ModelServer;
  let folder: string;
  let admin: AdminClient;
  let person: ApiClient;
  let calls = 0;
  let explanation: string | undefined;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'steward-skills-'));
    const write = async (name: string, description: string, text: string): Promise<void> => {
      await mkdir(join(folder, name));
      const head = `---\nname: ${name}\ndescription: ${description}\n---\n`;
      await writeFile(join(folder, name, 'SKILL.md'), `${head}${text}\n`);
    };
    await write(SKILL, 'Stripes QUAGGA of memory.', 'OKAPI: call memory.read.');
    await write(OTHER, 'Light.', 'Lit.');
    await write(SHUT, 'Water.', 'Wet.');
    model = await startModelServer();
    product = await startProduct({
      CLI_EXECUTOR: 'inline',
      SKILLS_DIR: folder,
      ENABLED_SKILLS: `${OTHER},${SKILL}`,
      MODEL_BASE_URL: model.baseUrl,
      MODEL_NAME: 'scripted',
    });
    admin = await new AdminClient(product.url).register();
    person = await product.client().register({ locale: 'en' });
  });
  afterAll(async () => {
    await product.close();
    await model.close();
    await rm(folder, { recursive: true, force: true });
  });

  beforeEach(async () => {
    await admin.putPolicy(chatMay('*'));
    await admin.putSkills(null);
    await admin.putSkills(null, person.userId);
  });

  async function hide(hiding: Hiding): Promise<void> {
    if (hiding === 'the deployment') await admin.putSkills([OTHER]);
    if (hiding === 'the user') await admin.putSkills([OTHER], person.userId);
  }

  /** A credential as a run has it. */
  async function credentialOf(hiding: Hiding): Promise<string> {
    const granted = await product.app.get(CredentialService, { strict: false }).exchange(
      {
        userId: person.userId,
        email: person.email,
        displayName: 'Person',
        roles: ['user'],
        timezone: 'UTC',
        locale: 'en',
        sessionId: null,
        token: { issuer: 'test', jti: 'test', expiresAt: new Date(Date.now() + 600_000) },
      },
      { scope: ['*'], runId: RUN, ...(hiding === 'the run' && { enabledSkills: [OTHER] }) },
    );
    return granted.credential;
  }

  /** What one door answers, without ids, times and what was asked. */
  const answerOf = (value: unknown): string => {
    const { status, result, data, error, summary } = value as Record<string, unknown>;
    return JSON.stringify({ status, result, data, error, summary });
  };
  const overHttp =
    (credential: string): Call =>
    async (method, input, module = 'help') => {
      const response = await fetch(`${product.url}/api/v1/tools/project_cli`, {
        method: 'POST',
        headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
        body: JSON.stringify({ module, method, input }),
      });
      return answerOf(await response.json());
    };
  const pressed: Call = async (method, input, module = 'help') =>
    answerOf((await person.post('/agent/actions', { module, method, input })).body);
  const executed =
    (executor: InlineExecutor | ProcessExecutor, credential: string): Call =>
    async (method, input, module = 'help') => {
      calls += 1;
      const request = {
        toolCallId: `call_of_skills_${calls}`,
        name: 'project_cli',
        arguments: JSON.stringify({ module, method, input }),
        credential,
        userId: person.userId,
        runId: RUN,
        threadId: 'thread_of_skills',
        locale: 'en' as const,
        timezone: 'UTC',
      };
      return answerOf(await executor.execute(request, new AbortController().signal));
    };

  /** Doors with the credential of a run; a button is pressed outside of runs. */
  function doors(hiding: Hiding, credential: string): Map<string, Call> {
    const inline = product.app.get(InlineExecutor, { strict: false });
    return new Map<string, Call>([
      ['http', overHttp(credential)],
      ['inline', executed(inline, credential)],
      ...(hiding === 'the run' ? [] : [['action', pressed] as const]),
    ]);
  }

  it.each(CASES)('hidden by %s, memory %s: the same at every door', async (hiding, permission) => {
    const isShown = hiding === 'nobody';
    const credential = await credentialOf(hiding);
    // After the credential: what is decided holds for its next call.
    await hide(hiding);
    await admin.putPolicy(POLICIES[permission]);

    for (const [door, call] of doors(hiding, credential)) {
      const list = await call('skills', {});
      const found = await call('search', { query: 'stripes' });
      const guessed = await call('skill', { name: UNKNOWN });
      const read = await call('skill', { name: SKILL });
      expect([door, list.includes(OTHER)]).toEqual([door, true]);
      for (const [what, text] of Object.entries({ list, found, guessed })) {
        expect([door, what, MARKS.test(text)]).toEqual([door, what, isShown]);
      }
      expect([door, read.includes('OKAPI')]).toEqual([door, isShown]);
      for (const spelling of ['%', '../%', '%/SKILL.md']) {
        const named = async (name: string): Promise<string> =>
          (await call('skill', { name: spelling.replace('%', name) })).replaceAll(name, UNKNOWN);
        const unknown = await named(UNKNOWN);
        expect(unknown).toContain('NOT_FOUND');
        expect([door, await named(SHUT)]).toEqual([door, unknown]);
        if (!isShown) expect([door, await named(SKILL)]).toEqual([door, unknown]);
      }
      const memory = await call('read', { mode: 'list' }, 'memory');
      const expected = permission === 'allowed' ? '"success"' : 'METHOD_NOT_ALLOWED';
      expect([door, memory]).toEqual([door, expect.stringContaining(expected)]);
      const methods = await call('methods', {});
      expect([door, methods.includes('"memory"')]).toEqual([door, permission === 'allowed']);
    }
  });

  it('is the same in a child process', async () => {
    const credential = await credentialOf('nobody');
    await hide('the user');
    await admin.putPolicy(POLICIES.denied);
    const child = product.app.get(ProcessExecutor, { strict: false });
    const inline = product.app.get(InlineExecutor, { strict: false });
    const asked: Parameters<Call>[] = [
      ['skills', {}],
      ['skill', { name: SKILL }],
      ['read', { mode: 'list' }, 'memory'],
    ];
    for (const call of asked) {
      const answer = await executed(child, credential)(...call);
      expect(answer).toBe(await executed(inline, credential)(...call));
      expect(answer).not.toMatch(MARKS);
    }
  });

  it.each(CASES)('hidden by %s, memory %s: the same in a run', async (hiding, permission) => {
    const isShown = hiding === 'nobody';
    await hide(hiding);
    await admin.putPolicy(POLICIES[permission]);
    model.requests.length = 0;
    model.replies.push(
      callReply(
        { module: 'help', method: 'skills' },
        { module: 'help', method: 'search', input: { query: 'stripes' } },
        { module: 'help', method: 'skill', input: { name: UNKNOWN } },
        { module: 'memory', method: 'read', input: { mode: 'list' } },
      ),
      textReply('Done.'),
    );
    const run = await person.post('/agent/runs', {
      message: 'What is there?',
      ...(hiding === 'the run' && { enabledSkills: [OTHER] }),
    });
    expect(run.status).toBe(202);
    const { threadId } = run.body as { threadId: string };
    const frames: StreamFrame[] = [];
    for await (const frame of person.frames(`/agent/runs/${threadId}/events`)) frames.push(frame);
    const history = await person.get(`/agent/runs/${threadId}/history`);

    const [first, second] = model.requests.map(({ body }) => body);
    const seen = {
      system: JSON.stringify(first?.messages),
      results: JSON.stringify(second?.messages.filter(({ role }) => role === 'tool')),
      events: JSON.stringify(frames),
      history: JSON.stringify(history.body),
    };
    expect(seen.system).toContain(OTHER);
    for (const [what, text] of Object.entries(seen)) {
      expect([what, MARKS.test(text)]).toEqual([what, isShown]);
    }
    expect(MARKS.test(JSON.stringify(first?.tools))).toBe(false);
    expect(JSON.stringify(first?.tools).includes('- memory:')).toBe(permission === 'allowed');
    const results = frames.map(({ event }) => event).filter((e) => e.type === 'TOOL_CALL_RESULT');
    expect(results).toHaveLength(4);
    expect(results[3]).toMatchObject(
      permission === 'allowed'
        ? { status: 'success' }
        : { status: 'failure', error: { code: 'METHOD_NOT_ALLOWED' } },
    );
  });

  it.each(HIDINGS)('hidden by %s: a run that names it, and what explain says', async (hiding) => {
    await hide(hiding);
    const plain = (name: string): object => ({ message: 'Hi', enabledSkills: [OTHER, name] });
    const agui = (name: string): object => ({
      threadId: 'thread_of_admission',
      runId: 'run_of_admission',
      messages: [{ id: 'm', role: 'user', content: 'Hi' }],
      tools: [],
      context: [],
      state: {},
      forwardedProps: { enabledSkills: [OTHER, name] },
    });
    for (const bodyOf of [plain, agui]) {
      const refusal = async (name: string): Promise<string> => {
        const { status, body } = await person.post('/agent/runs', bodyOf(name));
        expect(status).toBe(400);
        return JSON.stringify({ ...body, requestId: '' }).replaceAll(name, UNKNOWN);
      };
      const unknown = await refusal(UNKNOWN);
      expect(unknown).toContain('is not the name of a skill');
      expect(await refusal(SHUT)).toBe(unknown);
      // What a run hides from itself is none of the admission's business.
      if (hiding === 'the deployment' || hiding === 'the user') {
        expect(await refusal(SKILL)).toBe(unknown);
      }
    }
    const explained = await admin.post('/admin/whitelist/explain', { userId: person.userId });
    const text = JSON.stringify(explained.body);
    expect(text).toContain('memory.read');
    expect(text).not.toMatch(MARKS);
    explanation ??= text;
    expect(text).toBe(explanation);
  });

  it('gives nobody else’s rule, and leaves a rule nothing but names that there are', async () => {
    await admin.putSkills([OTHER], person.userId);
    const other = await admin.credential();
    expect(await overHttp(other.credential)('skills', {})).toContain(SKILL);
    const typo = await admin.change('PUT', '/admin/skills', { enabled: ['zebrafisch'] });
    expect(typo).toMatchObject({ status: 400, body: { issues: [{ path: 'enabled.0' }] } });
    const shut = await admin.change('PUT', '/admin/skills', { enabled: [SHUT] });
    expect(shut.status).toBe(400);
    const seen = { 'if-match': '"0"' };
    const nobody = await admin.call('PUT', '/admin/users/nobody/skills', { enabled: [] }, seen);
    expect(nobody.status).toBe(404);
    expect((await person.get('/admin/skills')).status).toBe(403);
  });
});
