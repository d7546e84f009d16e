import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Metrics } from './metrics.js';
import { ModelTelemetry } from './model-telemetry.js';
import { Tracing } from './tracing.js';

const REQUEST = {
  runId: 'run_1',
  threadId: 'thr_1',
  provider: 'openai',
  model: 'first',
  server: null,
};
const FAILED = { finish: null, answeredBy: null, usage: null, error: 'DEPENDENCY_UNAVAILABLE' };

describe('ModelTelemetry', () => {
  let warned: unknown[];

  beforeEach(() => {
    warned = [];
    const ignore = (): void => undefined;
    const warn = (message: unknown): void => void warned.push(message);
    Logger.overrideLogger({ log: ignore, error: ignore, warn });
  });
  afterEach(() => Logger.overrideLogger(false));

  it('warns of a try that failed and is made again, and of the model that takes over, with why', () => {
    const telemetry = new ModelTelemetry(new Metrics(), new Tracing(null));
    const reason = 'The model endpoint answered HTTP 503.';
    telemetry.start({ ...REQUEST, attempt: 1 }).end({ ...FAILED, reason, retryInMs: 500 });
    telemetry.start({ ...REQUEST, attempt: 2 }).end({ ...FAILED, reason, retryInMs: null });
    telemetry.fellBack({
      ...REQUEST,
      from: { provider: 'openai', model: 'first', host: 'a.example' },
      to: { provider: 'openai', model: 'second', host: null },
      code: 'DEPENDENCY_UNAVAILABLE',
      reason: 'The model endpoint answered HTTP 401.',
    });
    expect(warned).toEqual([
      'Run run_1: try 1 of first failed with DEPENDENCY_UNAVAILABLE (The model endpoint answered HTTP 503.), the next is in 500 ms.',
      'Run run_1: first at a.example failed with DEPENDENCY_UNAVAILABLE (The model endpoint answered HTTP 401.), second takes over.',
    ]);
  });
});
