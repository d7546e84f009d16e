import { Clock } from '../../src/common/clock.js';
import { newId } from '../../src/common/ids.js';
import type { Principal } from '../../src/auth/principal.js';
import { CredentialService } from '../../src/credential/credential.service.js';
import { ThreadService } from '../../src/threads/thread.service.js';
import type { ApiClient } from '../support/api-client.js';
import type { Product } from '../support/product.js';
import type { DoorCase } from './door-case.js';

const START = '2036-12-02T10:00:00+08:00';
const END = '2036-12-02T11:00:00+08:00';

/** People, events and credentials of one pass through the table; every door gets its own. */
export interface Stage {
  userId: string;
  runId: string;
  threadId: string;
  credentials: Record<NonNullable<DoorCase['as']> | 'full', string | undefined>;
  /** The case's call as text, placeholders filled in. */
  text(call: DoorCase['call']): string;
  /** A document with this stage's ids, emails and times replaced, so that stages compare. */
  neutral(document: unknown): string;
}

async function created(person: ApiClient, path: string, body: object): Promise<string> {
  const answer = await person.post(path, body);
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  const { id, fact } = answer.body as { id?: string; fact?: { id: string } };
  return id ?? fact?.id ?? '';
}

const createEvent = (person: ApiClient, title: string): Promise<string> =>
  created(person, '/calendar/events', { title, start_at: START, end_at: END });

const createContact = (person: ApiClient, name: string, more: object = {}): Promise<string> =>
  created(person, '/contacts', { name, ...more });

const remember = (person: ApiClient, text: string): Promise<string> =>
  created(person, '/memories', { key: 'profile.city', text });

const schedule = (person: ApiClient, title: string): Promise<string> =>
  created(person, '/schedules', {
    title,
    prompt: title,
    cron: '0 9 * * *',
    start_at: '2026-01-01T00:00:00Z',
  });

async function principalOf(person: ApiClient): Promise<Principal> {
  const { body } = await person.get('/auth/me');
  return {
    userId: String(body.id),
    email: String(body.email),
    displayName: String(body.displayName),
    roles: ['user'],
    timezone: 'Asia/Shanghai',
    locale: 'zh-CN',
    sessionId: null,
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
    amy: await createContact(caller, 'Amy Chen', { aliases: ['Amy'], emails: ['amy@example.org'] }),
    wang: await createContact(caller, '王小明', { title: '总经理' }),
    other_wang: await createContact(caller, '王大伟', { title: '总监' }),
    foreign_contact: await createContact(stranger, 'Foreign'),
    fact: await remember(caller, 'Berlin'),
    foreign_fact: await remember(stranger, 'Foreign'),
    task: await schedule(caller, 'Own task'),
    foreign_task: await schedule(stranger, 'Foreign task'),
    friend: friend.email,
  };
  const words = { ...placeholders, run: run.runId, caller: caller.email, stranger: stranger.email };
  return {
    ...run,
    userId: caller.userId,
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
  // Where iCalendar folds its lines depends on how long an address is.
  let out = text.replaceAll('\\r\\n ', '');
  for (const [name, word] of Object.entries(words)) {
    out = out.replaceAll(word, `<${name}>`).replaceAll(word.split('@')[0] ?? word, `<${name}>`);
  }
  const seen = new Map<string, string>();
  return (
    out
      .replaceAll(/(?:evt|con|mem|int|sch|thr)_[0-9A-Z]{26}/g, (id) => {
        if (!seen.has(id)) seen.set(id, `<thing ${seen.size + 1}>`);
        return seen.get(id) ?? id;
      })
      .replaceAll(
        /"(createdAt|updatedAt|heldFrom|heldUntil|saidAt|expires_at)":"[^"]+"/g,
        '"$1":"<time>"',
      )
      // A little less with every second.
      .replaceAll(/"score":(?:1|0\.999\d*)(?=[,}])/g, '"score":"<just said>"')
      // Made of ids, which differ.
      .replaceAll(/"confirm":"[^"]+"/g, '"confirm":"<confirm>"')
      .replaceAll(/(REV|DTSTAMP|CREATED|LAST-MODIFIED)(;[^:]*)?:[0-9TZ]+/g, '$1:<time>')
      .replaceAll(/"nextCursor":"[^"]+"/g, '"nextCursor":"<cursor>"')
  );
}
