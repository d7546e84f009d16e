// `npm run bench`: what things cost, always two ways side by side in one run. Compare ratios, not
// milliseconds: the machine is whatever it is. With `--once` it only shows that all of it works.
import { execFile } from 'node:child_process';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { withApp } from '../scripts/with-app.mjs';
import { audit } from './audit.mjs';
import { cancel } from './cancel.mjs';
import { fanOut } from './fan-out.mjs';
import { largeDataSets } from './large-data-sets.mjs';
import { median, report } from './measure.mjs';
import { observability } from './observability.mjs';
import { durability, runs } from './runs.mjs';
import { toolOutputs } from './tool-outputs.mjs';

const run = promisify(execFile);
const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const SIGNAL = new AbortController().signal;

async function childStart() {
  const env = { PROJECT_CLI_ENDPOINT: 'http://127.0.0.1:9' };
  const cli = () => run(process.execPath, [resolve(root, 'dist/project-cli.js'), 'help'], { env });
  const node = () => run(process.execPath, ['-e', '0'], { env });
  report(
    'Starting project-cli',
    ['bare node', await median(node, { runs: 15 })],
    ['project-cli help', await median(cli, { runs: 15 })],
  );
}

async function executors(app, call) {
  const { InlineExecutor } = await import('../dist/src/tool-router/executors/inline-executor.js');
  const { ProcessExecutor } = await import('../dist/src/tool-router/executors/process-executor.js');
  const through = (type) => {
    const executor = app.get(type, { strict: false });
    return async (i) => {
      const record = await executor.execute({ ...call, toolCallId: `${type.name}_${i}` }, SIGNAL);
      if (record.status !== 'success') throw new Error(JSON.stringify(record.error));
    };
  };
  report(
    'One help.methods call of a run',
    ['inline', await median(through(InlineExecutor), { runs: 100 })],
    ['process', await median(through(ProcessExecutor), { runs: 20 })],
  );
}

async function verification(credentials, principal) {
  const tokens = [];
  for (let i = 0; i < 60; i += 1) {
    tokens.push((await credentials.exchange(principal, { scope: ['*'] })).credential);
  }
  const cold = await median((i) => credentials.verify(tokens[i]), { runs: 50 });
  const warm = await median(() => credentials.verify(tokens[0]), { runs: 500 });
  report('Verifying a controlled credential', ['seen before', warm], ['first time', cold]);
}

async function eventLog(app, threadId) {
  const { EventLog } = await import('../dist/src/events/event-log.js');
  const log = app.get(EventLog, { strict: false });
  const event = (delta) => ({ type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta });
  const together = await median(
    () =>
      Promise.all(
        Array.from({ length: 50 }, (_, i) => log.append(threadId, 'run', [event(`${i}`)])),
      ),
    { runs: 20 },
  );
  const alone = await median(
    async () => {
      for (let i = 0; i < 50; i += 1) await log.append(threadId, 'run', [event(`${i}`)]);
    },
    { runs: 5 },
  );
  report(
    '50 events made durable',
    ['while others wait (batched)', together],
    ['one by one', alone],
  );
}

await withApp(async (app, config, databaseUrl) => {
  const { CredentialService } = await import('../dist/src/credential/credential.service.js');
  const { ListeningAddress } =
    await import('../dist/src/tool-router/executors/listening-address.js');
  const { ThreadService } = await import('../dist/src/threads/thread.service.js');
  const { Registration } = await import('../dist/src/auth/registration.js');
  await app.listen(0, '127.0.0.1');
  app.get(ListeningAddress, { strict: false }).set(await app.getUrl());

  const user = await app.get(Registration, { strict: false }).register({
    email: 'bench@example.com',
    password: 'a long bench password',
  });
  const principal = {
    userId: user.id,
    email: user.email,
    displayName: user.displayName,
    roles: [user.role],
    timezone: 'UTC',
    locale: 'en',
    sessionId: null,
    token: { issuer: 'bench', jti: 'bench', expiresAt: new Date(Date.now() + 3_600_000) },
  };
  const credentials = app.get(CredentialService, { strict: false });
  const run = { runId: 'run_bench', threadId: 'thr_bench' };
  await app.get(ThreadService, { strict: false }).claim(run.threadId, user.id);
  const { credential } = await credentials.exchange(principal, { ...run, scope: ['*'] });

  const place = { databaseUrl, dataDir: config.DATA_DIR };
  await childStart();
  await runs(place);
  await durability(place);
  await observability(place);
  await fanOut(place);
  await cancel(place);
  await executors(app, {
    ...run,
    userId: user.id,
    credential,
    name: 'project_cli',
    arguments: '{"module":"help","method":"methods"}',
    locale: 'en',
    timezone: 'UTC',
  });
  await verification(credentials, principal);
  await eventLog(app, run.threadId);
  await audit(app, user.id);
  await toolOutputs(app, user.id);
  await largeDataSets(app);
});
