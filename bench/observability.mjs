import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { middle, report } from './measure.mjs';
import { AT_ONCE, takeTurns, talker } from './talker.mjs';

/** Its difference is small beside what runs vary by. */
const ROUNDS = 15;

/** What a run costs that nobody watches, one that is counted, and one that is traced as well. */
export async function observability(place) {
  const collector = fork(fileURLToPath(new URL('collector.mjs', import.meta.url)));
  try {
    const [endpoint] = await once(collector, 'message');
    const env = { CLI_EXECUTOR: 'inline' };
    const unwatched = await talker(place, env, tellNothing);
    const counted = await talker(place, env);
    const traced = await talker(place, { ...env, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint });
    await takeTurns([unwatched, counted, traced], ROUNDS);
    const received = once(collector, 'message');
    collector.send('how many?');
    const [exports] = await received;
    if (exports === 0) throw new Error('the collector got no spans');
    const pairs = [
      ['A whole run, inline', 'wholeMs'],
      [`${AT_ONCE} runs at a time, each, inline`, 'eachMs'],
    ];
    for (const [what, figure] of pairs) {
      const none = ['nothing told', middle(unwatched[figure])];
      report(what, none, ['metrics', middle(counted[figure])]);
      report(what, none, ['metrics and traces', middle(traced[figure])]);
    }
  } finally {
    collector.kill();
  }
}

/** What an installation without telemetry would cost: those who tell it are not listened to. */
async function tellNothing(app) {
  const part = async (name, file) => {
    const module = await import(`../dist/src/observability/${file}.js`);
    return app.get(module[name], { strict: false });
  };
  const events = await part('EventTelemetry', 'event-telemetry');
  const models = await part('ModelTelemetry', 'model-telemetry');
  const runs = await part('RunTelemetry', 'run-telemetry');
  const streams = await part('StreamTelemetry', 'stream-telemetry');
  const tools = await part('ToolTelemetry', 'tool-telemetry');
  events.appended = () => {};
  models.start = () => ({ firstToken: () => {}, end: () => {} });
  runs.accepted = () => {};
  runs.reached = () => {};
  runs.execute = (_run, work) => work();
  streams.opened = () => () => {};
  tools.call = (_method, work) => work();
}
