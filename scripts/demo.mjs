// `npm run demo`: a fresh temporary server, one person, three requests in two languages. Shows the
// stream as it arrives and the replayed history, then removes everything it made.
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { ensureBuilt } from './ensure-built.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const REQUESTS = [
  '明天下午三点和 Amy 开项目会，一个小时',
  "What's on my calendar tomorrow?",
  '把项目会取消掉',
];

const paint = (code) => (text) => (process.stdout.isTTY ? `\u001b[${code}m${text}\u001b[0m` : text);
const dim = paint('2');
const bold = paint('1');
const cyan = paint('36');
const red = paint('31');

/** Starts dist/server/main.js on a free port; resolves with its URL once it says that it is ready. */
async function startServer(dataDir) {
  const child = spawn(process.execPath, [join(root, 'dist/server/main.js')], {
    env: { PATH: process.env.PATH, DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'info' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = new Promise((done) => child.once('exit', done));
  const url = await new Promise((ready, failed) => {
    child.once('exit', (code) => failed(new Error(`The server ended with status ${code}.`)));
    createInterface({ input: child.stdout }).on('line', (line) => {
      const { msg = '' } = JSON.parse(line);
      const match = /^Steward is ready: (\S+)/.exec(msg);
      if (match) ready(match[1]);
    });
  });
  return {
    url,
    stop: async () => {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

function client(url) {
  let token;
  const call = async (path, init = {}) => {
    const response = await fetch(`${url}/api/v1${path}`, {
      ...init,
      headers: {
        'content-type': 'application/json',
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...init.headers,
      },
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response;
  };
  const post = async (path, body) =>
    (await call(path, { method: 'POST', body: JSON.stringify(body) })).json();
  return {
    get: async (path) => (await call(path)).json(),
    post,
    register: async (account) => {
      token = (await post('/auth/register', account)).accessToken;
    },
    events: async function* (path) {
      const response = await call(path, { headers: { accept: 'text/event-stream' } });
      const stream = response.body
        .pipeThrough(new TextDecoderStream())
        .pipeThrough(new EventSourceParserStream());
      for await (const { data } of stream) yield JSON.parse(data);
    },
  };
}

const STAGES = { intent: 'understanding', execution: 'acting', report: 'reporting' };

function indent(text) {
  return text.replace(/^/gm, '    ');
}

/** Prints one event of the `app` encoding. */
function show(event, drawCard) {
  switch (event.type) {
    case 'RUN_STARTED':
      return console.log(dim(`  ▶ run ${event.runId}`));
    case 'STEP_STARTED':
      return console.log(dim(`  ● ${event.stepName} (${STAGES[event.stepName]})`));
    case 'TOOL_CALL_ARGS':
      return console.log(`    ${cyan('project_cli')} ${event.delta}`);
    case 'TOOL_CALL_RESULT':
      console.log(`    ${event.status === 'failure' ? red('✗') : '✓'} ${event.summary}`);
      if (event.ui_schema) console.log(indent(drawCard(event.ui_schema)));
      return undefined;
    case 'TEXT_MESSAGE_START':
      return process.stdout.write('    ');
    case 'TEXT_MESSAGE_CONTENT':
      return process.stdout.write(event.delta.replaceAll('\n', '\n    '));
    case 'TEXT_MESSAGE_END':
      return process.stdout.write('\n');
    case 'RUN_FINISHED':
      return console.log(dim('  ■ finished'));
    case 'RUN_ERROR':
      return console.log(red(`  ■ ${event.code}: ${event.message}`));
    default:
      return undefined;
  }
}

async function converse(api, drawCard) {
  let threadId;
  for (const message of REQUESTS) {
    console.log(`\n${bold(`You: ${message}`)}`);
    const run = await api.post('/agent/runs', { message, ...(threadId ? { threadId } : {}) });
    threadId = run.threadId;
    let ended;
    for await (const event of api.events(new URL(run.eventsUrl, 'http://x').pathname.slice(7))) {
      show(event, drawCard);
      if (event.type === 'RUN_FINISHED' || event.type === 'RUN_ERROR') ended = event.type;
    }
    if (ended !== 'RUN_FINISHED') throw new Error(`The run of "${message}" did not finish.`);
  }
  return threadId;
}

async function replay(api, threadId, drawCard) {
  console.log(`\n${bold('The same conversation, replayed from history')}`);
  const { messages } = await api.get(`/agent/runs/${threadId}/history`);
  for (const item of messages) {
    if (item.role === 'tool') {
      console.log(`  ${dim(`${item.module}.${item.method}`)} ${item.summary}`);
      if (item.ui_schema) console.log(indent(drawCard(item.ui_schema)));
    } else console.log(`  ${item.role === 'user' ? bold('You') : 'Steward'}: ${item.content}`);
  }
}

const dataDir = await mkdtemp(join(tmpdir(), 'steward-demo-'));
let server;
try {
  await ensureBuilt();
  const { drawCard } = await import('../dist/src/tool-output/a2ui/card-text.js');
  console.log(dim('Starting a temporary server with its own PostgreSQL …'));
  server = await startServer(dataDir);
  const api = client(server.url);
  await api.register({
    email: 'demo@example.com',
    password: 'a long demo password',
    displayName: 'Demo',
    timezone: 'Asia/Shanghai',
    locale: 'zh-CN',
  });
  const threadId = await converse(api, drawCard);
  await replay(api, threadId, drawCard);
} catch (error) {
  console.error(red(error instanceof Error ? error.message : String(error)));
  process.exitCode = 1;
} finally {
  await server?.stop();
  await rm(dataDir, { recursive: true, force: true });
}
