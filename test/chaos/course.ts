import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ApiClient } from '../support/api-client.js';
import { startModelServer } from '../support/model-server.js';
import { audit } from './auditor.js';
import { ASKS_FIRST, type ClientForm } from './client-tools.js';
import { Deployment, type Role } from './deployment.js';
import { disturb, type Disturbance } from './disturbances.js';
import type { Evidence } from './evidence.js';
import { Journal } from './journal.js';
import { Killer } from './killer.js';
import { Person, type Character } from './person.js';
import { Random } from './random.js';
import { report, type Report } from './report.js';
import type { Surroundings } from './requests.js';
import { CLIENT_STEPS, STEPS, message, scriptedModel } from './script.js';
import { auditFindings, readRows, readThread, untilAtRest } from './witness.js';

export interface CourseSettings {
  form: string;
  seed: number;
  /** What each process of the deployment does. */
  roles: readonly Role[];
  kills: number;
  /** After so long nothing is killed any more, and nobody says more. */
  limitMs: number;
  /** Shortest time that people talk; for a course without kills. */
  talkMs?: number;
  people: number;
  env: Record<string, string>;
  disturbances?: readonly Disturbance[];
  /** The model is the offline planner, which writes what a sentence of these says. */
  planner?: (mark: string) => string;
}

/** How the clients of people bring tools, one after the other. */
const FORMS: readonly (ClientForm | null)[] = ['plain', null, 'agui'];

const ENV = {
  PUBLIC_URL: 'http://steward.test',
  LOG_LEVEL: 'info',
  RUN_LEASE_SECONDS: '5',
  ACCESS_TOKEN_TTL_SECONDS: '86400',
  RATE_LIMIT_PER_MINUTE: '1000000',
  TOOL_RATE_LIMIT_PER_MINUTE: '1000000',
  REFUSED_CREDENTIALS_PER_MINUTE: '1000000',
  SIGN_IN_ATTEMPTS_PER_MINUTE: '1000',
};

/**
 * People talk to a deployment whose processes are killed and started again; afterwards everything is
 * audited. @returns the figures, with all faults.
 */
export async function runCourse(settings: CourseSettings): Promise<Report> {
  const random = new Random(settings.seed);
  const dataDir = await mkdtemp(join(tmpdir(), 'steward-chaos-'));
  const model = await startModelServer();
  model.otherwise = scriptedModel(random.fork());
  const scripted = { MODEL_BASE_URL: model.baseUrl, MODEL_NAME: 'scripted' };
  const env = { ...ENV, ...(settings.planner ? {} : scripted), ...settings.env };
  let deployment: Deployment | null = null;
  try {
    deployment = await Deployment.start({ env, dataDir, roles: settings.roles });
    return await talkAndAudit(settings, random, deployment, { ...env, DATA_DIR: dataDir });
  } finally {
    await deployment?.stop();
    await model.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function talkAndAudit(
  settings: CourseSettings,
  random: Random,
  deployment: Deployment,
  env: Record<string, string>,
): Promise<Report> {
  const began = Date.now();
  const journal = new Journal();
  const words = random.fork();
  const characters = Array.from({ length: settings.people }, (_none, number): Character => {
    // The offline planner calls no tools of clients.
    const tools = settings.planner ? null : (FORMS[number % FORMS.length] ?? null);
    const steps = tools ? CLIENT_STEPS : STEPS;
    const sentence = (mark: string): string =>
      message(
        mark,
        steps.filter((step) => step === 'say' || words.chance(tools ? 0.3 : 0.4)),
      );
    return { number, tools, sentence: settings.planner ?? sentence };
  });
  const people = await enrol(characters, { urls: deployment.urls, journal }, random);

  let quiet = false;
  let enough = false;
  const over = (): boolean => quiet || Date.now() - began > settings.limitMs;
  const killer = new Killer(deployment, journal, random.fork());
  const counts: Record<string, number> = {};
  const disturbed = (settings.disturbances ?? []).map((one) =>
    disturb(one, { deployment, random: random.fork(), over: () => quiet, counts }),
  );
  const killed = Promise.all([killer.work(settings.kills, over), delay(settings.talkMs ?? 0)]);
  const talked = people.map((person) => person.live(() => enough));
  const calm = async (): Promise<void> => {
    await killed;
    quiet = true;
    await Promise.all(disturbed);
    enough = true;
  };
  try {
    await Promise.all([calm(), ...disturbed, ...talked]);
  } finally {
    // Also behind what failed: nothing goes on into the course that follows.
    quiet = true;
    enough = true;
    await Promise.allSettled([killed, ...disturbed, ...talked]);
  }

  const databaseUrl = await deployment.databaseUrl();
  await untilAtRest(databaseUrl);
  const threads = [];
  for (const { threadIds, account } of people) {
    const [url = ''] = deployment.urls;
    const reader = Object.assign(new ApiClient(url), { token: account.token });
    for (const threadId of threadIds) threads.push(await readThread(reader, threadId));
  }
  const rows = await readRows(databaseUrl);
  const { accepted, answers, views, complaints } = journal;
  const statuses = await deployment.stop();
  const unclean = statuses
    .filter((status) => status !== 0)
    .map((status) => `exit status ${status}`);
  const evidence: Evidence = {
    ...rows,
    accepted,
    answers,
    threads,
    views,
    complaints: [...complaints, ...unclean],
    auditFindings: await auditFindings(env),
  };
  const { form, seed } = settings;
  const seconds = Math.round((Date.now() - began) / 1000);
  const faults = audit(evidence);
  const { kills } = killer;
  for (const [why, count] of Object.entries(deployment.startedAgain)) {
    counts[`start made again: ${why.trim()}`] = count;
  }
  return report(
    { form, seed, seconds, killsAsked: settings.kills, disturbances: counts },
    { kills, journal, evidence, faults },
  );
}

/** Accounts of people, and what is asked of them first: whether a contact may be written, or a tool used. */
async function enrol(
  characters: readonly Character[],
  around: Surroundings,
  random: Random,
): Promise<Person[]> {
  const [url = ''] = around.urls;
  const admin = await new ApiClient(url).register();
  const policy = await admin.get('/admin/whitelist');
  const { profiles } = policy.body as { profiles: Record<string, object> };
  const asking = {
    ...policy.body,
    profiles: { ...profiles, chat: { ...profiles['chat'], ask: ['contacts.create', ASKS_FIRST] } },
  };
  const etag = policy.headers.get('etag') ?? '';
  const put = await admin.call('PUT', '/admin/whitelist', asking, { 'if-match': etag });
  if (put.status !== 200) throw new Error(`whitelist: ${put.status} ${JSON.stringify(put.body)}`);
  const people: Person[] = [];
  for (const character of characters) {
    const account = await new ApiClient(url).register();
    people.push(new Person(character, account, around, random.fork()));
  }
  return people;
}
