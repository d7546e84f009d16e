import { Clock } from '../../src/common/clock.js';
import { newId } from '../../src/common/ids.js';
import type { Principal } from '../../src/auth/principal.js';
import { CredentialService } from '../../src/credential/credential.service.js';
import { ThreadService } from '../../src/threads/thread.service.js';
import type { ApiClient } from '../support/api-client.js';
import type { Product } from '../support/product.js';
import type { DoorCase } from './cases.js';

const START = '2026-12-02T10:00:00+08:00';
const END = '2026-12-02T11:00:00+08:00';

/** People, events and credentials of one pass through the table; every door gets its own. */
export interface Stage {
  runId: string;
  threadId: string;
  credentials: Record<NonNullable<DoorCase['as']> | 'full', string | undefined>;
  /** The case's call as text, placeholders filled in. */
  text(call: DoorCase['call']): string;
  /** A document with this stage's ids, emails and times replaced, so that stages compare. */
  neutral(document: unknown): string;
}

async function createEvent(person: ApiClient, title: string): Promise<string> {
  const answer = await person.post('/calendar/events', { title, start_at: START, end_at: END });
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return String(answer.body.id);
}

async function principalOf(person: ApiClient): Promise<Principal> {
  const { body } = await person.get('/auth/me');
  return {
    userId: String(body.id),
    email: String(body.email),
    displayName: String(body.displayName),
    roles: ['user'],
    timezone: 'Asia/Shanghai',
    locale: 'zh-CN',
    token: { issuer: 'test', jti: 'test', expiresAt: new Date(Date.now() + 3_600_000) },
  };
}

export async function setStage(product: Product): Promise<Stage> {
  const [caller, friend, stranger] = await Promise.all(
    [1, 2, 3].map(() => product.client().register()),
  );
  if (!caller || !friend || !stranger) throw new Error('Registration failed.');
  const own = await createEvent(caller, 'Own');
  await caller.call('PATCH', `/calendar/events/${own}`, { notes: 'version 2' });
  const foreign = await createEvent(stranger, 'Foreign');
  const invited = await createEvent(friend, 'Invited');
  const viewable = await createEvent(friend, 'Viewable');
  for (const id of [invited, viewable]) {
    await friend.post(`/calendar/events/${id}/share`, {
      with: [{ email: caller.email, permission: 'view' }],
    });
  }
  await caller.post(`/calendar/events/${viewable}/accept`, {});

  const credentials = product.app.get(CredentialService);
  const clock = product.app.get(Clock);
  const principal = await principalOf(caller);
  const run = { runId: newId('run'), threadId: newId('thr'), actor: 'agent-runtime' };
  await product.app.get(ThreadService, { strict: false }).claim(run.threadId, principal.userId);
  const issue = async (scope: string[], extra = {}) =>
    (await credentials.exchange(principal, { ...run, scope, ...extra })).credential;

  const now = clock.now.bind(clock);
  clock.now = () => new Date(Date.now() - 3_600_000);
  const expired = await issue(['*']);
  clock.now = now;
  const toRevoke = await credentials.exchange(principal, { ...run, scope: ['*'] });
  await credentials.revoke(toRevoke.jti);

  const placeholders: Record<string, string> = {
    own,
    foreign,
    invited,
    viewable,
    friend: friend.email,
  };
  const words = { ...placeholders, caller: caller.email, stranger: stranger.email };
  return {
    ...run,
    credentials: {
      full: await issue(['*']),
      'readonly-profile': await issue(['*'], { profile: 'readonly' }),
      'narrow-scope': await issue(['calendar.read', 'help.*']),
      expired,
      revoked: toRevoke.credential,
      garbage: 'not-a-token',
      bearer: caller.token,
      none: undefined,
    },
    text: (call) =>
      (typeof call === 'string' ? call : JSON.stringify(call)).replaceAll(
        /\{\{(\w+)\}\}/g,
        (_match, name: string) => placeholders[name] ?? '',
      ),
    neutral: (document) => neutralise(JSON.stringify(document), words),
  };
}

function neutralise(text: string, words: Record<string, string>): string {
  let out = text;
  for (const [name, word] of Object.entries(words)) {
    out = out.replaceAll(word, `<${name}>`).replaceAll(word.split('@')[0] ?? word, `<${name}>`);
  }
  const seen = new Map<string, string>();
  return out
    .replaceAll(/evt_[0-9A-Z]{26}/g, (id) => {
      if (!seen.has(id)) seen.set(id, `<event ${seen.size + 1}>`);
      return seen.get(id) ?? id;
    })
    .replaceAll(/"(createdAt|updatedAt)":"[^"]+"/g, '"$1":"<time>"')
    .replaceAll(/"nextCursor":"[^"]+"/g, '"nextCursor":"<cursor>"');
}
