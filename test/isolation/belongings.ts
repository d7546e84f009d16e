import { newId } from '../../src/common/ids.js';
import { ApprovalRuleService } from '../../src/interrupts/approval-rule.service.js';
import { PersonalInterrupts } from '../../src/interrupts/personal-interrupts.js';
import type { ApiClient, Answer } from '../support/api-client.js';
import { uploaded } from '../support/files.js';
import type { Product } from '../support/product.js';

/** Stands in every text of a person beside their mark, and is never sent by anybody else. */
export const UNSAID = 'amaranth';

export const START = '2036-12-01T15:00:00+08:00';
/** UIDs that everybody's files have: one file, imported by several people. */
export const EVENT_UID = 'sent-to-all@example.com';
export const CARD_UID = 'card-sent-to-all@example.com';
const PICTURE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** One person with something of everything that the product keeps. */
export interface Belongings {
  person: ApiClient;
  /** A word of all their texts, which others may search for. */
  mark: string;
  event: string;
  series: string;
  occurrence: string;
  /** An invitation of a third person that waits for an answer. */
  invitation: string;
  contact: string;
  otherContact: string;
  phone: string;
  fact: string;
  factKey: string;
  /** A scheduled task. */
  task: string;
  thread: string;
  run: string;
  attachment: string;
  call: string;
  credential: string;
  jti: string;
  /** A question that waits for an answer, and a standing approval. */
  interrupt: string;
  approvalRule: string;
  refreshToken: string;
  feed: string;
  /** The secret of the subscription URL. */
  feedToken: string;
  idempotencyKey: string;
  cursor: string;
}

/** Gives a new person their things; `inviter` is somebody who invites them. */
export async function settle(
  product: Product,
  mark: string,
  phone: string,
  inviter: ApiClient,
): Promise<Belongings> {
  const text = `${mark} ${UNSAID}`;
  const person = await product.client().register({ displayName: text });
  const idempotencyKey = 'the-same-key';
  const event = await made(
    person.post('/calendar/events', {
      title: text,
      start_at: START,
      idempotency_key: idempotencyKey,
    }),
  );
  await taken(person.post('/calendar/import', { ics: eventFile(text) }));
  await taken(person.call('POST', '/contacts/import', cardFile(text), VCARD));
  const series = await made(
    person.post('/calendar/events', {
      title: `Series ${text}`,
      start_at: '2036-12-01T09:00:00+08:00',
      rrule: 'FREQ=DAILY',
    }),
  );
  const invitation = await made(
    inviter.post('/calendar/events', {
      title: `Invitation ${text}`,
      start_at: START,
      attendees: [{ email: person.email }],
    }),
  );
  const contact = await made(
    person.post('/contacts', {
      name: text,
      emails: [`${mark}@${UNSAID}.example`],
      phones: [phone],
      avatar: PICTURE,
      groups: ['friends'],
    }),
  );
  const otherContact = await made(person.post('/contacts', { name: text, phones: [phone] }));
  const factKey = `${mark}.word`;
  const fact = await person.post('/memories', { key: factKey, text });
  await person.post('/memories', { key: 'shared.key', text });
  const task = await made(
    person.post('/schedules', { title: text, prompt: text, cron: '0 9 * * *' }),
  );
  const { threadId, runId, frames } = await person.say(`${text}: 今天有什么安排？`);
  const result = frames.find((frame) => frame.event.type === 'TOOL_CALL_RESULT');
  const { credential, jti } = await person.credential();
  const { interrupt, approvalRule } = await asked(product, person, credential, text);
  const feed = await person.post('/calendar/feeds', { name: text });
  const page = await person.get(`/calendar/events?date=2036-12-01&limit=1`);
  const signedIn = await person.post('/auth/token', {
    email: person.email,
    password: 'correct horse battery',
  });
  return {
    person,
    mark,
    event,
    series,
    occurrence: `${series}~20361203T090000`,
    invitation,
    contact,
    otherContact,
    phone,
    fact: idIn(fact.body.fact),
    factKey,
    task,
    thread: threadId,
    run: runId,
    attachment: await uploaded(person, `${text}.txt`, text),
    call: String(result?.event.toolCallId ?? newId('call')),
    credential,
    jti,
    interrupt,
    approvalRule,
    refreshToken: String(signedIn.body.refreshToken),
    feed: String(feed.body.id),
    feedToken: /feeds\/(.+)\.ics$/.exec(String(feed.body.url))?.[1] ?? '',
    idempotencyKey,
    cursor: String(page.body.nextCursor),
  };
}

/** Something that an agent of the person asks, and a method that the person has always allowed. */
async function asked(product: Product, person: ApiClient, credential: string, question: string) {
  const response = await fetch(`${product.url}/api/v1/tools/project_cli`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${credential}` },
    body: JSON.stringify({
      module: 'interaction',
      method: 'ask',
      input: { question, kind: 'text' },
    }),
  });
  const { error } = (await response.json()) as { error: { interrupt: { id: string } } };
  const { id } = error.interrupt;
  const interrupts = product.app.get(PersonalInterrupts, { strict: false });
  const rules = product.app.get(ApprovalRuleService, { strict: false });
  await rules.give(await interrupts.read(person.userId, id));
  const { body } = await person.get('/agent/approval-rules');
  const [rule] = body.rules as { id: string }[];
  return { interrupt: id, approvalRule: rule?.id ?? '' };
}

/** What must not stand in an answer to anybody else, unless they said it themselves. */
export function secretsOf(owner: Belongings): string[] {
  const { person, mark: _mark, phone: _phone, cursor: _cursor, ...things } = owner;
  const { idempotencyKey: _key, ...own } = things;
  return [UNSAID, person.email, person.userId, person.token, ...Object.values(own)].map((word) =>
    word.toLowerCase(),
  );
}

/** Everything of the owner that somebody else could have changed, as text. */
export async function stateOf({ person, feed: _feed, ...own }: Belongings): Promise<string> {
  const paths = [
    `/calendar/events/${own.event}`,
    `/calendar/events/${own.series}`,
    `/calendar/events/${own.occurrence}`,
    '/calendar/invitations',
    '/calendar/feeds',
    '/contacts',
    `/contacts/${own.contact}`,
    '/memories',
    `/memories/${own.fact}`,
    `/schedules/${own.task}`,
    '/agent/threads',
    `/agent/interrupts/${own.interrupt}`,
    '/agent/approval-rules',
    `/agent/runs/${own.run}`,
    `/agent/runs/${own.thread}/history`,
    '/auth/me',
  ];
  const answers: string[] = [];
  for (const path of paths) {
    const { status, body } = await person.get(path);
    if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
    answers.push(`${path} ${JSON.stringify(body)}`);
  }
  return answers.join('\n');
}

export const VCARD = { 'content-type': 'text/vcard' };

/** An iCalendar file with one event, the same for everybody but its title. */
export function eventFile(title: string): string {
  return [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'BEGIN:VEVENT',
    `UID:${EVENT_UID}`,
    'DTSTART:20361201T070000Z',
    'DTEND:20361201T080000Z',
    `SUMMARY:${title}`,
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join('\r\n');
}

/** The same of a contact. */
export function cardFile(name: string): string {
  return `BEGIN:VCARD\r\nVERSION:4.0\r\nUID:${CARD_UID}\r\nFN:${name}\r\nEND:VCARD\r\n`;
}

async function taken(answer: Promise<Answer>): Promise<void> {
  const { status, body } = await answer;
  if (status !== 200) throw new Error(JSON.stringify(body));
}

async function made(answer: Promise<Answer>): Promise<string> {
  const { status, body } = await answer;
  if (status !== 201) throw new Error(JSON.stringify(body));
  return String(body.id);
}

function idIn(fact: unknown): string {
  if (typeof fact !== 'object' || fact === null || !('id' in fact)) throw new Error('no fact');
  return String(fact.id);
}
