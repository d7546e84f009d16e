import { once } from 'node:events';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createServer } from 'node:http';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { middle, often, report } from './measure.mjs';
import { newDatabase, newcomer, openReplica } from './replicas.mjs';

const ROUNDS = 15;
/** Cancels of a run that has ended: what a POST costs that has nothing to end. */
const PLAIN = 'a POST that ends nothing';

/** From the POST that cancels a run until what the run was waiting for has ended. */
export async function cancel(place) {
  const model = await startModel();
  const env = { MODEL_BASE_URL: model.url, MODEL_NAME: 'm' };
  try {
    const inline = await stage(place, { ...env, CLI_EXECUTOR: 'inline' }, model);
    try {
      const runs = { posts: [], model: [], signal: [], statement: [] };
      for (let round = 0; round < often(ROUNDS); round += 1) {
        runs.model.push(await inline.ofModel(runs.posts));
        const { signal, statement } = await inline.ofCall(runs.posts);
        runs.signal.push(signal);
        runs.statement.push(statement);
      }
      const plain = [PLAIN, middle(runs.posts)];
      report('A cancel', plain, ['until the request to the model ends', middle(runs.model)]);
      report('A cancel', plain, ['until a call inline is told', middle(runs.signal)]);
      report('A cancel', plain, ['until its read ends in the database', middle(runs.statement)]);
    } finally {
      await inline.close();
    }
    const child = await stage(place, { ...env, CLI_EXECUTOR: 'process' }, model);
    try {
      const runs = { posts: [], exit: [], statement: [] };
      for (let round = 0; round < often(ROUNDS); round += 1) {
        const { exit, statement } = await child.ofCall(runs.posts);
        runs.exit.push(exit);
        runs.statement.push(statement);
      }
      const plain = [PLAIN, middle(runs.posts)];
      report('A cancel', plain, ['until the child has ended', middle(runs.exit)]);
      report('A cancel', plain, ["until the child's read ends", middle(runs.statement)]);
    } finally {
      await child.close();
    }
  } finally {
    model.close();
  }
}

/** A replica with somebody in it, and a connection that holds the table which a call reads. */
async function stage(place, env, model) {
  const { ToolGateway } = await import('../dist/src/tool-router/tool-gateway.js');
  const own = await newDatabase(place);
  const { app, url } = await openReplica(own, env);
  const headers = await newcomer(url);
  const database = new Client({ connectionString: own.databaseUrl });
  await database.connect();
  let child = null;
  const onChild = (message) => {
    child = message.process;
  };
  subscribe('child_process', onChild);
  let told = null;
  const gateway = app.get(ToolGateway, { strict: false });
  const invoke = gateway.invoke.bind(gateway);
  gateway.invoke = (request, signal) => {
    told = once(signal, 'abort').then(() => performance.now());
    return invoke(request, signal);
  };
  const post = async (path, body) => {
    const response = await fetch(`${url}/api/v1/agent/runs${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
  /** How often a statement waits for what the connection holds. */
  const waits = async () => {
    const sql =
      'SELECT 1 FROM pg_stat_activity WHERE pg_backend_pid() = ANY (pg_blocking_pids(pid))';
    return (await database.query(sql)).rows.length > 0;
  };
  const ended = async (runId) => {
    for (;;) {
      const response = await fetch(`${url}/api/v1/agent/runs/${runId}`, { headers });
      if ((await response.json()).status === 'cancelled') return;
      await delay(5);
    }
  };
  /** Cancels it and waits for its end; then the same POST again, which has nothing to end. */
  const timed = async (runId, posts, until) => {
    const start = performance.now();
    const cancelling = post(`/${runId}/cancel`, {});
    const times = await until();
    await cancelling;
    await ended(runId);
    const again = performance.now();
    await post(`/${runId}/cancel`, {});
    posts.push(performance.now() - again);
    return Object.fromEntries(Object.entries(times).map(([what, at]) => [what, at - start]));
  };
  return {
    ofModel: async (posts) => {
      const request = model.next('hang');
      const { runId } = await post('', { message: 'wait' });
      const { broken } = await request;
      const { model: ms } = await timed(runId, posts, async () => ({ model: await broken }));
      return ms;
    },
    ofCall: async (posts) => {
      await database.query('BEGIN');
      await database.query('LOCK TABLE calendar_events');
      void model.next('call');
      const { runId } = await post('', { message: 'call' });
      while (!(await waits())) await delay(5);
      const exit = child && once(child, 'exit').then(() => performance.now());
      const times = await timed(runId, posts, async () => {
        while (await waits());
        const statement = performance.now();
        return { statement, signal: await told, ...(exit && { exit: await exit }) };
      });
      await database.query('ROLLBACK');
      return times;
    },
    close: async () => {
      unsubscribe('child_process', onChild);
      await database.end();
      await app.close();
    },
  };
}

/** A call that reads the calendar, as a model streams it. */
function callLines() {
  const input = { mode: 'range', start_at: '2030-05-06T00:00:00Z', end_at: '2030-05-07T00:00:00Z' };
  const args = JSON.stringify({ module: 'calendar', method: 'read', input });
  const call = {
    index: 0,
    id: `call_${performance.now()}`,
    type: 'function',
    function: { name: 'project_cli', arguments: args },
  };
  const chunk = (delta, finish) => ({
    id: 'c',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  const chunks = [chunk({ role: 'assistant', tool_calls: [call] }, null), chunk({}, 'tool_calls')];
  return [...chunks.map((each) => JSON.stringify(each)), '[DONE]'];
}

/** An endpoint that either calls or says nothing, as it is told for the next request. */
async function startModel() {
  const told = [];
  const server = createServer((request, response) => {
    request.resume();
    const { what, arrived } = told.shift() ?? { what: 'hang', arrived: () => {} };
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
    arrived({ broken: once(response, 'close').then(() => performance.now()) });
    if (what === 'call')
      response.end(
        callLines()
          .map((line) => `data: ${line}\n\n`)
          .join(''),
      );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}/v1`,
    /** Resolves once the request is there. */
    next: (what) => new Promise((arrived) => told.push({ what, arrived })),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
