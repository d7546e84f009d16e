import type { DynamicModule, Type } from '@nestjs/common';
import { Clock } from '../../src/common/clock.js';
import { ApiClient } from './api-client.js';
import { startTestApp, type TestApp } from './test-app.js';
import { TestClock } from './test-clock.js';

/** An application with wide limits and a clock that the test sets. */
export async function startAuthApp(
  modules: (Type<unknown> | DynamicModule)[],
  env: Record<string, string> = {},
): Promise<{ server: TestApp; clock: TestClock; api: ApiClient }> {
  const clock = new TestClock();
  const server = await startTestApp({
    modules,
    env: {
      SIGN_IN_ATTEMPTS_PER_MINUTE: '1000',
      RATE_LIMIT_PER_MINUTE: '10000',
      REFUSED_CREDENTIALS_PER_MINUTE: '10000',
      ...env,
    },
    override: (builder) => builder.overrideProvider(Clock).useValue(clock),
  });
  return { server, clock, api: new ApiClient(server.url) };
}
